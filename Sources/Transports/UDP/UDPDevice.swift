public import CTAP
public import CTAPHID
import NIOCore
import NIOPosix

/// A device reached by CTAPHID over UDP: a ``UDPEndpoint`` in another process, or a foreign simulator.
///
/// ```swift
/// let device = try await UDPDevice.connect(to: "127.0.0.1", port: 8111)
/// let answer = try await device.transceive([0x04])
/// ```
///
/// Requests of several tasks are sent one after the other. Cancelling a task sends CTAPHID_CANCEL for its request and
/// goes on waiting for the device's answer.
public final class UDPDevice: CTAPDevice, PowerCyclable, Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<UDPDeviceHandler>

    private init(channel: any Channel, handler: NIOLoopBound<UDPDeviceHandler>) {
        self.channel = channel
        self.handler = handler
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Reaches a device and asks it for a channel.
    ///
    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: the device's port.
    ///   - silenceLimit: how long the device may be silent before it counts as gone.
    /// - Throws: ``CTAPDeviceError`` when nothing answers there.
    public static func connect(
        to host: String, port: Int, silenceLimit: Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> UDPDevice {
        let device: UDPDevice
        do {
            device = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = UDPDeviceHandler(silenceLimit: silenceLimit)
                        try channel.pipeline.syncOperations.addHandler(handler)
                        return UDPDevice(
                            channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
                    }
                }
        } catch {
            throw .disconnected("cannot reach \(host):\(port): \(error)")
        }
        _ = try await device.exchange(.open)
        return device
    }

    /// Sends one CTAP2 message and returns the answer; a status counts as an answer.
    public func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let answer = try await exchange(.request(.cbor, message), onKeepalive: onKeepalive)
        guard !answer.isEmpty else { throw .protocolViolation("an answer without a status") }
        return answer
    }

    /// Sends bytes that the device returns.
    ///
    /// - Parameter payload: at most ``CTAPHIDMessage/maximumPayloadLength`` bytes.
    /// - Returns: what came back.
    public func ping(_ payload: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await exchange(.request(.ping, payload))
    }

    /// Lets the person see which device this is.
    public func wink() async throws(CTAPDeviceError) {
        _ = try await exchange(.request(.wink, []))
    }

    /// How the device introduced itself when it gave out the channel.
    public func initialization() async -> CTAPHIDInitialization? {
        let handler = handler
        return try? await channel.eventLoop.submit { handler.value.initialization }.get()
    }

    /// Sends ``PowerCycleReport`` and returns when the device answers again, or has been silent for too long.
    ///
    /// A request that is under way ends with ``CTAPDeviceError/disconnected(_:)``.
    public func powerCycle() async {
        _ = try? await exchange(.powerCycle)
    }

    /// Lets go of the device; requests under way end with ``CTAPDeviceError/disconnected(_:)``.
    public func close() async {
        try? await channel.close()
    }

    private func exchange(
        _ kind: UDPExchange.Kind, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let id = UDPExchange.ID()
        let (eventLoop, handler) = (channel.eventLoop, handler)
        let cancel: @Sendable () -> Void = { eventLoop.execute { handler.value.cancel(id) } }
        let result: Result<[UInt8], CTAPDeviceError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                eventLoop.execute {
                    handler.value.enqueue(
                        UDPExchange(id: id, kind: kind, onKeepalive: onKeepalive) { continuation.resume(returning: $0) }
                    )
                }
                // A cancellation that overtook the request found nothing to cancel.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }
}
