internal import LoopbackHTTP

/// Requests over several connections at once.
enum Load {
    /// The number of connections of the benchmarks.
    static let connectionCount = 64

    /// How much work each connection does.
    enum Amount: Sendable {
        case repetitions(Int)
        /// As much as fits into a time.
        case time(Duration)
    }

    /// Repeats a piece of work of each connection.
    ///
    /// - Returns: microseconds for one repetition: the time of all connections together, divided by the number of
    ///   repetitions, and the server's processor time.
    @discardableResult
    static func run<Connection: Sendable>(
        at server: ChildProcess? = nil, _ connections: [Connection], _ amount: Amount,
        _ work: @escaping @Sendable (Connection) async throws -> Void
    ) async throws -> (time: Double, processorTime: Double) {
        let before = try server?.processorTime() ?? 0
        let started = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
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
        let time = (ContinuousClock.now - started) / .microseconds(1)
        let processorTime = (try server?.processorTime() ?? 0) - before
        return (time / Double(max(1, count)), processorTime / Double(max(1, count)))
    }
}

extension Load.Amount {
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
