package import CTAP
import CTAPHID
import NIOCore
import NIOPosix

/// A device reached by CTAPHID over UDP: a ``UDPEndpoint`` in another process, or another simulator.
///
/// ```swift
/// let device = try await UDPDevice.connect(to: "127.0.0.1", port: 8111)
/// let answer = try await device.transceive([0x04])
/// ```
///
/// Requests of several tasks are sent one after the other. Cancelling a task sends CTAPHID_CANCEL for its request and
/// still waits for the device's answer.
package final class UDPDevice: CTAPHIDDevice, U2FDevice, PowerCyclable, Sendable {
    package let connection: CTAPHIDConnection

    private init(_ connection: CTAPHIDConnection) { self.connection = connection }

    deinit {
        connection.abandon()
    }

    /// Connects to a device and requests a channel.
    ///
    /// - Parameters:
    ///   - exchangeLimit: the longest exchange, the user's touch included.
    ///   - silenceLimit: the longest silence; it is asked again at each request and report.
    /// - Throws: ``CTAPDeviceError`` when no device answers.
    package static func connect(
        to host: String, port: Int, exchangeLimit: Duration = CTAPHIDClient.exchangeLimit,
        silenceLimit: @escaping @Sendable @autoclosure () -> Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> UDPDevice {
        let device: UDPDevice
        do {
            device = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(EnvelopeOpener())
                        return UDPDevice(
                            try CTAPHIDConnection(
                                addingTo: channel, exchangeLimit: exchangeLimit, silenceLimit: silenceLimit))
                    }
                }
        } catch {
            throw .disconnected("cannot reach \(host):\(port): \(error)")
        }
        do {
            _ = try await device.connection.exchange(.open)
        } catch .disconnected {
            // The system reports that no program has the port.
            throw .disconnected(
                "no device answers on udp:\(host):\(port); start one there, with `touchstone device start PROFILE --udp \(port)`"
            )
        }
        return device
    }

    /// Sends PING with at most ``CTAPHIDMessage/maximumPayloadLength`` bytes, which the device returns.
    package func ping(_ payload: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.exchange(.request(.ping, payload))
    }

    /// Sends ``PowerCycleReport``; returns when the device answers again, or after the silence limit.
    ///
    /// A running request ends with ``CTAPDeviceError/disconnected(_:)``.
    package func powerCycle() async { _ = try? await connection.exchange(.powerCycle) }
}

/// Unwraps reports from their envelopes; on a connected socket all of them come from the device.
private final class EnvelopeOpener: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias InboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(unwrapInboundIn(data).data))
    }
}
