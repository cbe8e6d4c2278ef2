import Synchronization
import Testing

/// Plants bugs in the app, and looks for the tests that notice.
@MainActor
enum Planting {
    /// The titles of the tests that notice a bug; the first one is enough unless all are asked for.
    static func notice(
        _ bug: String?, _ tests: [(title: String, body: @MainActor () async throws -> Void)], all: Bool = false
    ) async throws -> [String] {
        var noticing: [String] = []
        for test in tests where try await fails(test.body, with: bug) {
            noticing.append(test.title)
            if !all { break }
        }
        return noticing
    }

    /// Runs a test with a bug; its issues stay out of the run's own.
    private static func fails(
        _ body: @escaping @MainActor () async throws -> Void, with bug: String?
    ) async throws -> Bool {
        let test = try #require(Test.current)
        let hasFailed = Flag()
        let trait = IssueHandlingTrait.compactMapIssues { _ in
            hasFailed.raise()
            return nil
        }
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
            do {
                try await Flaw.$planted.withValue(bug) { try await body() }
            } catch {
                hasFailed.raise()
            }
        }
        return hasFailed.isRaised
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isRaised: Bool { value.withLock(\.self) }

        func raise() { value.withLock { $0 = true } }
    }
}
