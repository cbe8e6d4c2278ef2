package import CTAP
package import CTAPHID
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Lets foreign clients reach a ``CTAPDevice`` over UDP, as they reach existing simulators.
///
/// One datagram is one 64-byte CTAPHID report; datagrams of any other size are ignored. An answer goes to the sender of
/// its request. ``PowerCycleReport`` is honoured.
///
/// ```swift
/// let endpoint = try await UDPEndpoint.listen(device: device)
/// print("listening on \(endpoint.port)")
/// await endpoint.run()
/// ```
package struct UDPEndpoint: Sendable {
    /// Where an endpoint listens and how it behaves.
    package struct Configuration: Sendable {
        /// The local address; loopback unless changed, since nothing authenticates a client.
        package var address = "127.0.0.1"
        /// The local port; 0 takes a free one.
        package var port = 8111
        /// How CTAPHID behaves; unknown channels are served, since some hosts of UDP simulators make theirs up.
        package var ctaphid: CTAPHIDServerConfiguration = {
            var configuration = CTAPHIDServerConfiguration()
            configuration.servesUnknownChannels = true
            configuration.recognizesPowerCycleReport = true
            return configuration
        }()

        /// Creates the configuration that existing hosts expect: 127.0.0.1, port 8111.
        package init() {}
    }

    /// The port on which the endpoint listens; 0 once it is closed.
    package var port: Int { channel.localAddress?.port ?? 0 }

    private let channel: any Channel
    private let runner: CTAPHIDDeviceRunner<SocketAddress>
    private let ignored: IgnoredDatagrams

    /// Starts to listen; when this returns, datagrams are answered, until ``close()`` or the end of ``run()``.
    ///
    /// - Parameters:
    ///   - device: the device that answers.
    ///   - u2f: what answers U2F messages, if anything does.
    ///   - configuration: where to listen.
    ///   - onWink: called when the device shall show itself.
    ///   - faults: what goes wrong with packets on purpose.
    /// - Throws: ``CTAPDeviceError/disconnected(_:)`` when the address cannot be had.
    package static func listen(
        device: any CTAPDevice, u2f: U2FHandler? = nil,
        configuration: Configuration = Configuration(), onWink: @escaping @Sendable () -> Void = {},
        faults: TransportFaults? = nil
    ) async throws(CTAPDeviceError) -> UDPEndpoint {
        do {
            return try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: configuration.address, port: configuration.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let runner = CTAPHIDDeviceRunner<SocketAddress>(
                            device: device, u2f: u2f, configuration: configuration.ctaphid, onWink: onWink,
                            faults: faults
                        ) { reports, peer in
                            channel.send(reports, to: peer)
                        }
                        let ignored = IgnoredDatagrams()
                        try channel.pipeline.syncOperations.addHandler(
                            UDPReportHandler(runner: runner, ignored: ignored))
                        return UDPEndpoint(channel: channel, runner: runner, ignored: ignored)
                    }
                }
        } catch {
            let problem = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            throw .disconnected("cannot listen on \(configuration.address):\(configuration.port): \(problem)")
        }
    }

    /// How many datagrams were ignored because they did not have 64 bytes.
    package var ignoredDatagramCount: Int { ignored.count.load(ordering: .relaxed) }

    /// Waits until the task is cancelled or ``close()`` is called, and leaves the endpoint closed.
    package func run() async {
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        runner.close()
    }

    /// Takes the device's power away and returns when it is back; the running command ends.
    package func powerCycle() async {
        await runner.powerCycle()
    }

    /// Stops to listen and cancels the running command.
    package func close() async {
        runner.close()
        try? await channel.close()
    }
}

/// The number of datagrams that were no reports, shared by the handler and the endpoint.
private final class IgnoredDatagrams: Sendable {
    let count = Atomic<Int>(0)
}

/// Takes reports from the socket.
private final class UDPReportHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let runner: CTAPHIDDeviceRunner<SocketAddress>
    private let ignored: IgnoredDatagrams

    init(runner: CTAPHIDDeviceRunner<SocketAddress>, ignored: IgnoredDatagrams) {
        self.runner = runner
        self.ignored = ignored
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard envelope.data.readableBytes == CTAPHIDPacket.length else {
            ignored.count.add(1, ordering: .relaxed)
            return
        }
        runner.receive(Array(buffer: envelope.data), from: envelope.remoteAddress)
    }

    func channelInactive(context: ChannelHandlerContext) {
        runner.close()
        context.fireChannelInactive()
    }
}

extension Channel {
    /// Sends reports, one datagram each.
    ///
    /// Always by way of the event loop's queue, from whatever thread: reports leave in the order of the calls.
    fileprivate func send(_ reports: [[UInt8]], to peer: SocketAddress) {
        eventLoop.execute {
            for report in reports {
                self.write(AddressedEnvelope(remoteAddress: peer, data: ByteBuffer(bytes: report)), promise: nil)
            }
            self.flush()
        }
    }
}
