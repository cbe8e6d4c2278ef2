import Radio

/// Runs a test with a bus of its own.
func withBus(_ use: (BusDaemon) async throws -> Void) async throws {
    let bus = try await BusDaemon.start()
    do {
        try await use(bus)
        await bus.stop()
    } catch {
        await bus.stop()
        throw error
    }
}

/// Values that a handler hands to its test, for one reader at a time.
struct Signal<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send(_ value: Value) { continuation.yield(value) }

    /// The next value that no earlier call has taken.
    @discardableResult func next() async -> Value? { await stream.first { _ in true } }
}
