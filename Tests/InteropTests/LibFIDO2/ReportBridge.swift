import CFIDO2
import CTAP
import CTAPHID
import Dispatch
import Synchronization
import Transports

/// The cable between libfido2 and a virtual authenticator: CTAPHID reports both ways, within this process.
///
/// libfido2's callbacks know nothing but the path of what they open, so bridges are found by theirs.
final class ReportBridge: Sendable {
    private struct Client {}

    /// The reports on their way to libfido2.
    private final class Inbox: Sendable {
        private let reports = Mutex<[[UInt8]]>([])
        private let count = DispatchSemaphore(value: 0)

        func put(_ new: [[UInt8]]) {
            reports.withLock { $0 += new }
            for _ in new { count.signal() }
        }

        /// The next report; nil when none comes in time.
        func take(within milliseconds: Int) -> [UInt8]? {
            guard count.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
            return reports.withLock { $0.removeFirst() }
        }
    }

    /// libfido2 may wait for ever, a test may not.
    private static let patience = 30_000
    private static let bridges = Mutex<[String: ReportBridge]>([:])
    private static let count = Atomic<Int>(0)

    /// What libfido2 opens.
    let path = "touchstone:\(count.add(1, ordering: .relaxed).newValue)"

    private let inbox = Inbox()
    private let host: CTAPHIDHost<Client>

    private init(_ device: any CTAPDevice) {
        let inbox = inbox
        host = CTAPHIDHost(device: device) { reports, _ in inbox.put(reports) }
    }

    /// Connects a device, so that libfido2 can open it.
    static func connect(_ device: any CTAPDevice) -> ReportBridge {
        let bridge = ReportBridge(device)
        bridges.withLock { $0[bridge.path] = bridge }
        return bridge
    }

    /// Pulls the cable.
    func disconnect() {
        host.close()
        _ = Self.bridges.withLock { $0.removeValue(forKey: path) }
    }

    /// Pulls the device and plugs it in again; libfido2 does not notice.
    func powerCycle() async { await host.powerCycle() }

    /// The callbacks that libfido2 does its input and output with.
    static var io: fido_dev_io_t {
        fido_dev_io_t(
            open: { path in
                guard let path, let bridge = ReportBridge.bridges.withLock({ $0[String(cString: path)] }) else {
                    return nil
                }
                return Unmanaged.passRetained(bridge).toOpaque()
            },
            close: { handle in
                guard let handle else { return }
                Unmanaged<ReportBridge>.fromOpaque(handle).release()
            },
            read: { handle, buffer, length, milliseconds in
                guard let handle, let buffer else { return -1 }
                let bridge = Unmanaged<ReportBridge>.fromOpaque(handle).takeUnretainedValue()
                return bridge.read(into: UnsafeMutableBufferPointer(start: buffer, count: length), Int(milliseconds))
            },
            write: { handle, bytes, length in
                guard let handle, let bytes else { return -1 }
                let bridge = Unmanaged<ReportBridge>.fromOpaque(handle).takeUnretainedValue()
                return bridge.write(Array(UnsafeBufferPointer(start: bytes, count: length)))
            })
    }

    private func read(into buffer: UnsafeMutableBufferPointer<UInt8>, _ milliseconds: Int) -> Int32 {
        let limit = milliseconds < 0 ? Self.patience : min(milliseconds, Self.patience)
        guard let report = inbox.take(within: limit), report.count <= buffer.count else { return -1 }
        _ = buffer.update(fromContentsOf: report)
        return Int32(report.count)
    }

    private func write(_ bytes: [UInt8]) -> Int32 {
        // The number of the report comes first; devices without numbered reports have number 0.
        guard bytes.count == CTAPHIDPacket.length + 1, bytes.first == 0 else { return -1 }
        host.receive(Array(bytes.dropFirst()), from: Client())
        return Int32(bytes.count)
    }
}
