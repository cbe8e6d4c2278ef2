internal import LoopbackHTTP

/// Requests over several connections at once.
enum Load {
    /// How much work each connection does.
    enum Amount: Sendable {
        case repetitions(Int)
        /// As much as fits into a time.
        case time(Duration)
    }

    /// The work of all connections together.
    struct Summary: Sendable {
        let repetitions: Int
        let seconds: Double
        /// The repetitions a second.
        var rate: Double { Double(repetitions) / seconds }
    }

    /// Repeats a piece of work of each connection.
    static func run<Connection: Sendable>(
        _ connections: [Connection], _ amount: Amount, _ work: @escaping @Sendable (Connection) async throws -> Void
    ) async throws -> Summary {
        let started = ContinuousClock.now
        let repetitions = try await withThrowingTaskGroup(of: Int.self) { group in
            for connection in connections {
                group.addTask {
                    var done = 0
                    while amount.isUnfinished(after: done, since: started) {
                        try await work(connection)
                        done += 1
                    }
                    return done
                }
            }
            return try await group.reduce(0, +)
        }
        return Summary(repetitions: repetitions, seconds: (ContinuousClock.now - started) / .seconds(1))
    }
}

extension Load.Amount {
    /// A share of the amount.
    func scaled(by share: Double) -> Load.Amount {
        switch self {
        case .repetitions(let count): .repetitions(max(1, Int(Double(count) * share)))
        case .time(let span): .time(span * share)
        }
    }

    fileprivate func isUnfinished(after done: Int, since started: ContinuousClock.Instant) -> Bool {
        switch self {
        case .repetitions(let count): done < count
        case .time(let span): ContinuousClock.now - started < span
        }
    }
}

extension LoopbackClient.Answer {
    /// The body of a response, which must be a success.
    func checked() throws -> [UInt8] {
        guard (200..<300).contains(status) else {
            throw BenchmarkFailure(description: "HTTP \(status): \(String(decoding: body, as: UTF8.self))")
        }
        return body
    }
}
