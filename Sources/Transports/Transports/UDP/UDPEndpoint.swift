package import CTAP
package import CTAPHID
import Foundation
import MachineNeeds
import NIOCore
import NIOPosix

/// Serves a ``CTAPDevice`` to other programs over UDP, with the protocol of existing simulators.
///
/// One datagram is one 64-byte CTAPHID report; datagrams of any other size are ignored. An answer goes to the sender of
/// its request. ``PowerCycleReport`` is supported.
///
/// ```swift
/// let endpoint = try await UDPEndpoint.listen(device: device)
/// print("listening on \(endpoint.port)")
/// await endpoint.run()
/// ```
package struct UDPEndpoint: Sendable {
    package struct Configuration: Sendable {
        /// The local address; default: loopback, because clients are not authenticated.
        package var address = "127.0.0.1"
        /// The local port; 0 takes a free one.
        package var port = UsualPort.device.number
        /// CTAPHID's behaviour; unknown channels are served, because some clients of UDP simulators invent theirs.
        package var ctaphid: CTAPHIDServerConfiguration = {
            var configuration = CTAPHIDServerConfiguration()
            configuration.servesUnknownChannels = true
            configuration.recognizesPowerCycleReport = true
            return configuration
        }()

        package init() {}
    }

    /// The port the endpoint listens on; 0 after closing.
    package var port: Int { channel.localAddress?.port ?? 0 }

    private let channel: any Channel
    private let runner: CTAPHIDServerRunner<SocketAddress>

    /// Starts to listen; datagrams are answered until ``close()`` or the end of ``run()``.
    ///
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when the address is not available.
    package static func listen(
        device: any CTAPDevice, u2f: U2FHandler? = nil,
        configuration: Configuration = Configuration(), onWink: @escaping @Sendable () -> Void = {},
        faults: TransportFaults? = nil
    ) async throws(CTAPDeviceError) -> UDPEndpoint {
        do {
            return try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: configuration.address, port: configuration.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let runner = CTAPHIDServerRunner<SocketAddress>(
                            device: device, u2f: u2f, configuration: configuration.ctaphid, onWink: onWink,
                            faults: faults, executor: EventLoopExecutor(channel.eventLoop)
                        ) { reports, peer in
                            channel.send(reports, to: peer)
                        }
                        try channel.pipeline.syncOperations.addHandler(UDPReportHandler(runner: runner))
                        return UDPEndpoint(channel: channel, runner: runner)
                    }
                }
        } catch {
            let number = (error as? IOError)?.errnoCode
            let problem = number.map { String(cString: strerror($0)) } ?? "\(error)"
            throw .disconnected("cannot listen on \(configuration.address):\(configuration.port): \(problem)")
        }
    }

    /// Serves a device on a free port of this machine and connects to it, so that its transport faults take effect.
    ///
    /// - Parameter silenceLimit: the client's limit; an unplugged device is given up after a tenth of a second.
    package static func loop(
        to device: any CTAPDevice, faults: TransportFaults, silenceLimit: Duration
    ) async throws -> (UDPEndpoint, UDPDevice) {
        var configuration = Configuration()
        configuration.port = 0
        let endpoint = try await listen(device: device, configuration: configuration, faults: faults)
        do {
            let client = try await UDPDevice.connect(
                to: configuration.address, port: endpoint.port,
                silenceLimit: faults.isUnplugged ? .milliseconds(100) : silenceLimit)
            return (endpoint, client)
        } catch {
            await endpoint.close()
            throw error
        }
    }

    /// Runs until the task is cancelled or ``close()`` is called, then closes the endpoint.
    package func run() async {
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        runner.close()
    }

    /// Switches the device's power off and on, which ends the running command; returns when the power is back.
    package func powerCycle() async { await runner.powerCycle() }

    package func close() async {
        runner.close()
        try? await channel.close()
    }
}

/// Passes reports from the socket to the runner.
private final class UDPReportHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let runner: CTAPHIDServerRunner<SocketAddress>

    init(runner: CTAPHIDServerRunner<SocketAddress>) { self.runner = runner }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard envelope.data.readableBytes == CTAPHIDPacket.length else { return }
        runner.receive(Array(buffer: envelope.data), from: envelope.remoteAddress)
    }

    func channelInactive(context: ChannelHandlerContext) {
        runner.close()
        context.fireChannelInactive()
    }
}

extension Channel {
    /// Sends reports, one datagram each, through the event loop's queue, so that they leave in the order of the calls.
    fileprivate func send(_ reports: [[UInt8]], to peer: SocketAddress) {
        eventLoop.execute {
            for report in reports {
                self.write(AddressedEnvelope(remoteAddress: peer, data: ByteBuffer(bytes: report)), promise: nil)
            }
            self.flush()
        }
    }
}
