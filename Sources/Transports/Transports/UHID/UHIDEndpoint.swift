package import CTAP
package import CTAPHID
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Presents a ``CTAPDevice`` to the operating system as a USB security key, through Linux UHID.
///
/// The kernel creates a HID device with the FIDO report descriptor and a `/dev/hidraw*` node, where libfido2, OpenSSH
/// and browsers find it. All programs that open the node share one device, as with a real key; CTAPHID's channels
/// separate them (CTAP 2.3 §11.2.3).
///
/// ```swift
/// let endpoint = try await UHIDEndpoint.open(device: device, identity: identity)
/// await endpoint.run()
/// ```
package final class UHIDEndpoint: Sendable {
    /// All programs are one peer, because the kernel delivers each report to all of them.
    private struct Programs: Sendable {}

    /// The key's identity.
    package let identity: UHIDIdentity
    private let channel: any Channel
    private let runner: CTAPHIDDeviceRunner<Programs>
    private let socket: SocketState

    /// Creates a key, plugged in.
    ///
    /// - Parameters:
    ///   - device: the device that answers; a ``CTAP/PowerCyclable`` one loses its power when it is unplugged.
    ///   - u2f: answers U2F messages; default: none.
    ///   - identity: the key's identity.
    ///   - onWink: called when the device should identify itself.
    ///   - faults: the faults injected into outgoing packets.
    ///   - path: UHID's device node.
    /// - Throws: ``UHIDError``.
    package static func open(
        device: any CTAPDevice, u2f: U2FHandler? = nil, identity: UHIDIdentity,
        onWink: @escaping @Sendable () -> Void = {}, faults: TransportFaults? = nil, path: String = "/dev/uhid"
    ) async throws(UHIDError) -> UHIDEndpoint {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENODEV, ENXIO: throw .missing(path: path)
            case EACCES, EPERM: throw .forbidden(path: path)
            default: throw .failed(path: path, reason: String(cString: strerror(errno)))
            }
        }
        do {
            return try await attach(
                descriptor: descriptor, device: device, u2f: u2f, identity: identity, onWink: onWink, faults: faults)
        } catch {
            throw .failed(path: path, reason: "\(error)")
        }
    }

    /// Creates a key over a descriptor with UHID's protocol, one event per read and write; takes ownership of it.
    static func attach(
        descriptor: CInt, device: any CTAPDevice, u2f: U2FHandler? = nil, identity: UHIDIdentity,
        onWink: @escaping @Sendable () -> Void = {}, faults: TransportFaults? = nil
    ) async throws -> UHIDEndpoint {
        let endpoint: UHIDEndpoint
        do {
            endpoint = try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                // An event longer than a read is lost.
                .channelOption(
                    .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: UHIDEvent.maximumLength)
                )
                // One event per read, so that two never share a buffer.
                .channelOption(.maxMessagesPerRead, value: 16)
                .takingOwnershipOfDescriptor(inputOutput: descriptor) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let socket = SocketState()
                        let runner = CTAPHIDDeviceRunner<Programs>(
                            device: device, u2f: u2f, onWink: onWink,
                            onUnplug: { if socket.change(toPlugged: false) { channel.write([.destroy]) } },
                            faults: faults
                        ) { reports, _ in
                            channel.write(reports.map { .input($0) })
                        }
                        let handler = UHIDEventHandler(
                            onOutput: { runner.receive($0, from: Programs()) }, onEnd: runner.close)
                        try channel.pipeline.syncOperations.addHandler(handler)
                        return UHIDEndpoint(identity: identity, channel: channel, runner: runner, socket: socket)
                    }
                }
        } catch {
            Foundation.close(descriptor)
            throw error
        }
        endpoint.create()
        return endpoint
    }

    private init(
        identity: UHIDIdentity, channel: any Channel, runner: CTAPHIDDeviceRunner<Programs>, socket: SocketState
    ) {
        self.identity = identity
        self.channel = channel
        self.runner = runner
        self.socket = socket
    }

    /// Whether the key is plugged in.
    package var isPluggedIn: Bool { socket.isPlugged }

    /// Runs until the task is cancelled or ``close()`` is called, which removes the key.
    package func run() async {
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        runner.close()
    }

    /// Unplugs the key: its node disappears, and the loss of power ends the running command.
    package func unplug() async {
        guard socket.change(toPlugged: false) else { return }
        channel.write([.destroy])
        await runner.powerCycle()
    }

    /// Plugs the key in again, which restarts the time window for a reset (CTAP 2.3 §6.6).
    package func plugIn() async {
        guard socket.change(toPlugged: true) else { return }
        await runner.powerCycle()
        channel.write([.create(identity)])
    }

    /// Unplugs the key and plugs it in again.
    package func powerCycle() async {
        await unplug()
        await plugIn()
    }

    /// Removes the key permanently.
    package func close() async {
        runner.close()
        try? await channel.close()
    }

    private func create() {
        guard socket.change(toPlugged: true) else { return }
        channel.write([.create(identity)])
    }
}

/// Whether a key is plugged in.
private final class SocketState: Sendable {
    private let plugged = Mutex(false)

    var isPlugged: Bool { plugged.withLock { $0 } }

    /// Sets the state.
    ///
    /// - Returns: whether it changed.
    func change(toPlugged wanted: Bool) -> Bool {
        plugged.withLock { plugged in
            defer { plugged = wanted }
            return plugged != wanted
        }
    }
}

/// Handles events from the kernel.
private final class UHIDEventHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onOutput: ([UInt8]) -> Void
    private let onEnd: () -> Void

    init(onOutput: @escaping ([UInt8]) -> Void, onEnd: @escaping () -> Void) {
        self.onOutput = onOutput
        self.onEnd = onEnd
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch UHIDEvent(Array(buffer: unwrapInboundIn(data))) {
        case .output(let bytes):
            // hidraw prefixes the report number, which is 0 for unnumbered reports.
            onOutput(bytes.count == CTAPHIDPacket.length + 1 && bytes.first == 0 ? Array(bytes.dropFirst()) : bytes)
        case .getReport(let id): context.channel.write([.refuseGetReport(id: id)])
        case .setReport(let id): context.channel.write([.refuseSetReport(id: id)])
        case .start, .stop, .open, .close, .other, nil: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        onEnd()
        context.fireChannelInactive()
    }
}

extension Channel {
    /// Writes events, one write each, in the order of the calls.
    fileprivate func write(_ requests: [UHIDRequest]) {
        eventLoop.execute {
            // Flushed one by one: each write must be one event.
            for request in requests { self.writeAndFlush(ByteBuffer(bytes: request.bytes), promise: nil) }
        }
    }
}
