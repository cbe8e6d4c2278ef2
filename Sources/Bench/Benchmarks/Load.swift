internal import LoopbackHTTP

/// Requests over several connections at once.
enum Load {
    /// Repeats a piece of work of each connection.
    ///
    /// - Returns: the number of repetitions a second, of all connections together.
    static func run<Connection: Sendable>(
        _ connections: [Connection], repetitions: Int, _ work: @escaping @Sendable (Connection) async throws -> Void
    ) async throws -> Double {
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for connection in connections {
                group.addTask { for _ in 0..<repetitions { try await work(connection) } }
            }
            try await group.waitForAll()
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        return Double(connections.count * repetitions) / seconds
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
