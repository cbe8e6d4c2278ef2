package import CTAP
package import CTAPHID
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
package final class UDPDevice: CTAPDevice, PowerCyclable, Sendable {
    private let connection: CTAPHIDConnection

    private init(_ connection: CTAPHIDConnection) {
        self.connection = connection
    }

    deinit {
        connection.abandon()
    }

    /// Reaches a device and asks it for a channel.
    ///
    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: the device's port.
    ///   - silenceLimit: how long the device may be silent before it counts as gone.
    /// - Throws: ``CTAPDeviceError`` when nothing answers there.
    package static func connect(
        to host: String, port: Int, silenceLimit: Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> UDPDevice {
        let device: UDPDevice
        do {
            device = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(EnvelopeOpener())
                        return UDPDevice(try CTAPHIDConnection(addingTo: channel, silenceLimit: silenceLimit))
                    }
                }
        } catch {
            throw .disconnected("cannot reach \(host):\(port): \(error)")
        }
        _ = try await device.connection.exchange(.open)
        return device
    }

    /// Sends one CTAP2 message and returns the answer; a status counts as an answer.
    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.transceive(message, onKeepalive: onKeepalive)
    }

    /// Sends bytes that the device returns.
    ///
    /// - Parameter payload: at most ``CTAPHIDMessage/maximumPayloadLength`` bytes.
    /// - Returns: what came back.
    package func ping(_ payload: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.exchange(.request(.ping, payload))
    }

    /// Lets the person see which device this is.
    package func wink() async throws(CTAPDeviceError) {
        _ = try await connection.exchange(.request(.wink, []))
    }

    /// How the device introduced itself when it gave out the channel.
    package func initialization() async -> CTAPHIDInitialization? {
        await connection.initialization()
    }

    /// Sends ``PowerCycleReport`` and returns when the device answers again, or has been silent for too long.
    ///
    /// A request that is under way ends with ``CTAPDeviceError/disconnected(_:)``.
    package func powerCycle() async {
        _ = try? await connection.exchange(.powerCycle)
    }

    /// Lets go of the device; requests under way end with ``CTAPDeviceError/disconnected(_:)``.
    package func close() async {
        await connection.close()
    }
}

/// Takes reports out of their envelopes: the socket is connected, so all come from the device.
private final class EnvelopeOpener: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(unwrapInboundIn(data).data))
    }
}
