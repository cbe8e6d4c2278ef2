public import CTAP
internal import Synchronization

/// A device that answers by the first byte of the request, and records its events.
///
/// | first byte | answer |
/// |---|---|
/// | 01 | waits for the user until ``touch()`` (00) or cancellation (2D) |
/// | 02 | waits for the user and has consent at once: 00 |
/// | 03 | fails as ``CTAPDeviceError/busy`` |
/// | any other | 00 and the request |
public final class ScriptedDevice: CTAPDevice, PowerCyclable, Sendable {
    private let touches = AsyncStream.makeStream(of: Void.self)
    private let log = Mutex<[String]>([])

    /// Whether it answers CTAP2; false stands for a key of U2F alone.
    public let answersCTAP2: Bool

    /// Creates a device without events.
    public init(answersCTAP2: Bool = true) { self.answersCTAP2 = answersCTAP2 }

    /// The events so far, oldest first.
    public var events: [String] { log.withLock { $0 } }

    /// Touches the device: a request that waits for the user ends with 00.
    public func touch() {
        touches.continuation.yield()
    }

    /// Answers a request as the table above says.
    public func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        if message.first == 1 { onKeepalive(.userPresenceNeeded) }
        note("request \(message.first ?? 0)")
        switch message.first {
        case 1:
            for await _ in touches.stream { return [0x00] }
            note("cancelled")
            return [0x2D]
        case 2:
            onKeepalive(.userPresenceNeeded)
            onKeepalive(.processing)
            return [0x00]
        case 3:
            throw .busy
        default:
            return [0x00] + message
        }
    }

    /// Records the power cycle.
    public func powerCycle() async {
        note("power cycle")
    }

    private func note(_ event: String) {
        log.withLock { $0.append(event) }
    }
}
