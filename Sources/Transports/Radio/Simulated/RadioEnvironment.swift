internal import Synchronization

/// The time and the randomness of simulated radios.
package struct RadioEnvironment: Sendable {
    /// Returns after a time; throws when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A random number.
    package let random: @Sendable () -> UInt64

    /// - Parameters:
    ///   - sleep: The time, for example `Task.sleep(for:)`.
    ///   - generator: The source of random numbers.
    package init(
        sleep: @escaping @Sendable (Duration) async throws -> Void, generator: some RandomNumberGenerator & Sendable
    ) {
        self.sleep = sleep
        let generator = Generator(generator)
        random = { generator.next() }
    }

    /// Whether a transmission is lost.
    func loses(_ share: Double) -> Bool {
        // The upper 53 bits are a number in 0..<1.
        share > 0 && Double(random() >> 11) / Double(UInt64(1) << 53) < share
    }
}

/// A source of random numbers for several tasks.
private final class Generator: Sendable {
    private let source: Mutex<any RandomNumberGenerator & Sendable>

    init(_ source: any RandomNumberGenerator & Sendable) { self.source = Mutex(source) }

    func next() -> UInt64 { source.withLock { $0.next() } }
}
