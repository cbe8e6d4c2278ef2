package import Machine
package import PlatformErrors
internal import Synchronization

/// Records a trace of any number of devices: numbers the exchanges, masks secrets, and emits one record at a time.
///
/// ```swift
/// let file = try TraceFile(creating: path)
/// let recorder = TraceRecorder(onRecord: file.write)
/// let trace = recorder.device("key", now: clock.now)
/// let device = trace.traced(authenticator)
/// ```
package final class TraceRecorder: Sendable {
    package let keepsSecrets: Bool

    private let exchanges: ExchangeCounter
    private let order = Mutex<Void>(())
    private let queue: OutputQueue?
    private let onRecord: @Sendable (TraceRecord) -> Void

    /// - Parameters:
    ///   - keepsSecrets: whether PIN hashes, tokens, secret outputs and the messages that contain them are kept.
    ///   - queue: makes the records on its thread, in their order; nil makes them before the device answers.
    ///   - onRecord: is called with each record; calls do not overlap.
    package init(
        keepsSecrets: Bool = false, queue: OutputQueue? = nil, onRecord: @escaping @Sendable (TraceRecord) -> Void
    ) {
        self.keepsSecrets = keepsSecrets
        self.queue = queue
        self.onRecord = onRecord
        exchanges = ExchangeCounter()
    }

    /// A recorder whose records also go to another one, numbered together with its own.
    ///
    /// - Parameter onRecord: is called with each record, in which secrets are masked.
    package init(beside other: TraceRecorder, onRecord: @escaping @Sendable (TraceRecord) -> Void) {
        keepsSecrets = other.keepsSecrets
        queue = nil
        exchanges = other.exchanges
        self.onRecord = { record in
            onRecord(record.masked)
            other.emit { record }
        }
    }

    /// Starts to trace a device; `vocabulary` has the errors of its platform, and `now` is its clock.
    package func device(
        _ name: String, title: String? = nil, vocabulary: PlatformErrorVocabulary? = nil,
        now: @escaping @Sendable () -> Duration
    ) -> DeviceTrace {
        let trace = DeviceTrace(recorder: self, name: name, vocabulary: vocabulary, now: now)
        trace.emit { [keepsSecrets] in .device(TracedDeviceDescription(title: title, keepsSecrets: keepsSecrets)) }
        return trace
    }

    func nextExchange() -> Int { exchanges.next() }

    /// Emits a record; decoding and masking a message take longer than answering it.
    func emit(_ record: @escaping @Sendable () -> TraceRecord) {
        guard let queue else { return write(record()) }
        queue.add { self.write(record()) }
    }

    private func write(_ record: TraceRecord) {
        let record = keepsSecrets ? record : record.masked
        order.withLock { _ in onRecord(record) }
    }
}

/// The number of the last exchange.
private final class ExchangeCounter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
