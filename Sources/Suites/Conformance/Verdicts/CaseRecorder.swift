internal import Synchronization

/// Notes the observations of a case.
package final class CaseRecorder: Sendable {
    private struct State {
        var deviations: [Deviation] = []
        var exchanges: [@Sendable () -> CaseExchange] = []
        var values = RunValues()
    }

    private let level: Level
    private let state = Mutex(State())

    package init(level: Level) { self.level = level }

    var deviations: [Deviation] { state.withLock { $0.deviations } }
    var exchanges: [CaseExchange] { state.withLock(\.exchanges).map { $0() } }
    var exchangeCount: Int { state.withLock(\.exchanges.count) }

    /// Notes a message and its answer; the words are made when a report needs them.
    package func record(_ exchange: @autoclosure @escaping @Sendable () -> CaseExchange) {
        state.withLock { $0.exchanges.append(exchange) }
    }

    /// Notes a value that another run does not have, such as a challenge: deviations have its name in its place, so that
    /// runs can be compared.
    ///
    /// - Parameter noun: its name, such as "challenge".
    package func mask(_ value: String, as noun: String) { state.withLock { $0.values.add(value, noun) } }

    /// Notes a deviation unless the condition holds; the case goes on.
    ///
    /// - Parameters:
    ///   - expected: the demand of the clause, as a noun phrase or a sentence.
    ///   - seen: the observation.
    ///   - clause: the clause, where it is not the case's own.
    ///   - level: the strength of this demand, where it is not the case's.
    /// - Returns: the condition.
    @discardableResult
    package func expect(
        _ condition: Bool, _ expected: @autoclosure () -> String, seen: @autoclosure () -> String,
        clause: Clause? = nil, level: Level? = nil
    ) -> Bool {
        guard !condition else { return true }
        let (expected, seen) = (expected(), seen())
        state.withLock { state in
            let deviation = Deviation(
                expected: state.values.masked(expected), seen: state.values.masked(seen), clause: clause,
                level: level ?? self.level)
            state.deviations.append(deviation)
        }
        return false
    }

    /// Notes a deviation and ends the case unless the condition holds.
    package func require(
        _ condition: Bool, _ expected: @autoclosure () -> String, seen: @autoclosure () -> String,
        clause: Clause? = nil
    ) throws(CaseStop) {
        guard expect(condition, expected(), seen: seen(), clause: clause) else { throw .deviation }
    }

    /// Performs a preparation: a deviation that ends it says nothing about the clause of the case.
    ///
    /// - Parameter words: the preparation as a noun phrase, such as "the credential of the case".
    /// - Throws: `CaseStop.blocked` for a preparation that a deviation ends, otherwise the errors of the preparation.
    package func preparing<Result>(
        _ words: String, _ perform: () async throws -> Result
    ) async throws -> Result {
        let before = state.withLock(\.deviations.count)
        do {
            return try await perform()
        } catch CaseStop.deviation {
            let last = state.withLock { state in
                defer { state.deviations.removeSubrange(before...) }
                return state.deviations.last
            }
            throw CaseStop.blocked("\(words) could not be had: \(last?.words ?? "no deviation is noted")")
        }
    }

    /// Notes a deviation and ends the case.
    package func fail(_ expected: String, seen: String, clause: Clause? = nil) -> CaseStop {
        expect(false, expected, seen: seen, clause: clause)
        return .deviation
    }
}
