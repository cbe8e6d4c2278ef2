package import CTAP
package import CTAPHID
import Foundation
import Synchronization

/// Presents a ``CTAPDevice`` to the operating system as a USB security key, through Linux UHID.
///
/// The kernel creates a HID device with the FIDO report descriptor and a `/dev/hidraw*` node, where libfido2, OpenSSH
/// and browsers find it. All programs that open the node share one device, as with a real key; CTAPHID's channels
/// separate them (CTAP 2.3 §11.2.3).
///
/// ```swift
/// let endpoint = try UHIDEndpoint.open(device: device, identity: identity)
/// await endpoint.run()
/// ```
package final class UHIDEndpoint: Sendable {
    /// All programs are one peer, because the kernel delivers each report to all of them.
    private struct Programs: Sendable {}

    /// The kernel's file for virtual HID devices.
    package static let usualPath = "/dev/uhid"

    package let identity: UHIDIdentity
    private let port: UHIDPort
    private let runner: CTAPHIDServerRunner<Programs>
    private let socket: SocketState

    /// Creates a key, plugged in; a ``CTAP/PowerCyclable`` device loses its power when it is unplugged.
    package static func open(
        device: any CTAPDevice, u2f: U2FHandler? = nil, identity: UHIDIdentity,
        onWink: @escaping @Sendable () -> Void = {}, faults: TransportFaults? = nil, path: String = usualPath
    ) throws(UHIDError) -> UHIDEndpoint {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENODEV, ENXIO: throw .missing(path: path)
            case EACCES, EPERM: throw .forbidden(path: path)
            default: throw .failed(path: path, reason: String(cString: strerror(errno)))
            }
        }
        do {
            return try attach(
                descriptor: descriptor, device: device, u2f: u2f, identity: identity, onWink: onWink, faults: faults)
        } catch {
            throw .failed(path: path, reason: "\(error)")
        }
    }

    /// Creates a key over a descriptor with UHID's protocol, one event per read and write; takes ownership of it.
    static func attach(
        descriptor: CInt, device: any CTAPDevice, u2f: U2FHandler? = nil, identity: UHIDIdentity,
        onWink: @escaping @Sendable () -> Void = {}, faults: TransportFaults? = nil
    ) throws -> UHIDEndpoint {
        let port = try UHIDPort(descriptor: descriptor)
        let socket = SocketState()
        let runner = CTAPHIDServerRunner<Programs>(
            device: device, u2f: u2f, onWink: onWink,
            onUnplug: { if socket.change(toPlugged: false) { port.write([.destroy]) } }, faults: faults
        ) { reports, _ in
            port.write(reports.map { .input($0) })
        }
        port.start(
            onEvent: { event in
                switch event {
                case .output(let bytes): runner.receive(report(bytes), from: Programs())
                case .getReport(let id): port.write([.refuseGetReport(id: id)])
                case .setReport(let id): port.write([.refuseSetReport(id: id)])
                case .start, .stop, .open, .close, .other: break
                }
            }, onEnd: runner.close)
        if socket.change(toPlugged: true) { port.write([.create(identity)]) }
        return UHIDEndpoint(identity: identity, port: port, runner: runner, socket: socket)
    }

    /// A report without hidraw's prefix: the report number, which is 0 for unnumbered reports.
    private static func report(_ bytes: [UInt8]) -> [UInt8] {
        bytes.count == CTAPHIDPacket.length + 1 && bytes.first == 0 ? Array(bytes.dropFirst()) : bytes
    }

    private init(identity: UHIDIdentity, port: UHIDPort, runner: CTAPHIDServerRunner<Programs>, socket: SocketState) {
        self.identity = identity
        self.port = port
        self.runner = runner
        self.socket = socket
    }

    package var isPluggedIn: Bool { socket.isPlugged }

    /// Runs until the task is cancelled or ``close()`` is called, which removes the key.
    package func run() async {
        await withTaskCancellationHandler {
            await port.waitUntilClosed()
        } onCancel: {
            port.close()
        }
        runner.close()
    }

    /// Unplugs the key: its node disappears, and the loss of power ends the running command.
    package func unplug() async {
        guard socket.change(toPlugged: false) else { return }
        port.dropReports()
        port.write([.destroy])
        await runner.powerCycle()
        await port.flush()
    }

    /// Plugs the key in again, which restarts the time window for a reset (CTAP 2.3 §6.6).
    package func plugIn() async {
        guard socket.change(toPlugged: true) else { return }
        await runner.powerCycle()
        // It may have been unplugged meanwhile.
        if socket.isPlugged { port.write([.create(identity)]) }
        await port.flush()
    }

    package func powerCycle() async {
        await unplug()
        await plugIn()
    }

    package func close() async {
        runner.close()
        port.close()
        await port.waitUntilClosed()
    }
}

/// Whether a key is plugged in.
private final class SocketState: Sendable {
    private let plugged = Mutex(false)

    var isPlugged: Bool { plugged.withLock { $0 } }

    /// Whether the state changed.
    func change(toPlugged wanted: Bool) -> Bool {
        plugged.withLock { plugged in
            defer { plugged = wanted }
            return plugged != wanted
        }
    }
}
