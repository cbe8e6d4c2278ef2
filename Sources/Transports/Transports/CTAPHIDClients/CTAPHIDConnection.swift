import CTAP
import CTAPHID
import NIOCore

/// The client's end of CTAPHID over a NIO channel whose messages are reports of 64 bytes.
///
/// Exchanges of several tasks run one after the other. Cancelling a task sends CTAPHID_CANCEL for its exchange.
package struct CTAPHIDConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<CTAPHIDClientHandler>

    /// Adds the client's end to a channel's pipeline; call it on the channel's event loop.
    init(
        addingTo channel: any Channel, exchangeLimit: Duration, silenceLimit: @escaping @Sendable () -> Duration
    ) throws {
        let handler = CTAPHIDClientHandler(silenceLimit: silenceLimit, exchangeLimit: exchangeLimit)
        try channel.pipeline.syncOperations.addHandler(handler)
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    func initialization() async -> CTAPHIDInitialization? {
        let handler = handler
        return try? await channel.eventLoop.submit { handler.value.initialization }.get()
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let answer = try await exchange(.request(.cbor, message), onKeepalive: onKeepalive)
        guard !answer.isEmpty else { throw .protocolViolation("the device answered without a status") }
        return answer
    }

    /// Runs one exchange, after those enqueued before it.
    func exchange(
        _ kind: CTAPHIDExchange.Kind, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let id = CTAPHIDExchange.ID()
        let (eventLoop, handler) = (channel.eventLoop, handler)
        let cancel: @Sendable () -> Void = { eventLoop.execute { handler.value.cancel(id) } }
        let result: Result<[UInt8], CTAPDeviceError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.execute {
                    handler.value.enqueue(
                        CTAPHIDExchange(id: id, kind: kind, onKeepalive: onKeepalive) {
                            continuation.resume(returning: $0)
                        })
                }
                // A cancellation that arrived before the request found nothing to cancel.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Closes the connection; running exchanges end with ``CTAP/CTAPDeviceError/disconnected(_:)``.
    func close() async { try? await channel.close() }

    /// Closes the connection without waiting.
    func abandon() { channel.close(promise: nil) }
}
