internal import CFIDO2
package import CTAP
internal import CTAPHID
internal import Synchronization

/// What carries CTAPHID reports between libfido2 and a key, for libfido2's I/O functions.
///
/// All calls block, and come from one thread at a time, but for ``write(_:)``, which `fido_dev_cancel` calls from
/// another.
package protocol ReportCable: AnyObject, Sendable {
    /// The next report of 64 bytes from the key; nil when none comes within this time.
    ///
    /// - Throws: ``CTAP/CTAPDeviceError/disconnected(_:)`` when none can come any more.
    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]?
    /// Sends a report of 64 bytes; false when that cannot be done.
    func write(_ report: [UInt8]) -> Bool
}

/// The cables that libfido2 may open.
///
/// libfido2's callbacks know nothing but the path of what they open, so cables are found by theirs.
enum ReportCables {
    /// What libfido2 is given of a cable.
    private final class Plug: Sendable {
        let cable: any ReportCable

        init(_ cable: any ReportCable) { self.cable = cable }
    }

    /// libfido2 may wait for ever; the person may not come back.
    private static let patience = 600_000
    private static let plugs = Mutex<[String: Plug]>([:])
    private static let count = Atomic<Int>(0)

    /// Makes a cable known; the path is what libfido2 opens.
    static func connect(_ cable: any ReportCable) -> String {
        let path = "touchstone:\(count.add(1, ordering: .relaxed).newValue)"
        plugs.withLock { $0[path] = Plug(cable) }
        return path
    }

    static func disconnect(_ path: String) {
        _ = plugs.withLock { $0.removeValue(forKey: path) }
    }

    /// The callbacks that libfido2 does its input and output with.
    static var io: fido_dev_io_t {
        fido_dev_io_t(
            open: { path in
                guard let path, let plug = ReportCables.plugs.withLock({ $0[String(cString: path)] }) else {
                    return nil
                }
                return Unmanaged.passRetained(plug).toOpaque()
            },
            close: { handle in
                guard let handle else { return }
                Unmanaged<Plug>.fromOpaque(handle).release()
            },
            read: { handle, buffer, length, milliseconds in
                guard let handle, let buffer else { return -1 }
                let plug = Unmanaged<Plug>.fromOpaque(handle).takeUnretainedValue()
                let limit = milliseconds < 0 ? ReportCables.patience : min(Int(milliseconds), ReportCables.patience)
                guard let report = try? plug.cable.read(within: limit), report.count <= length else { return -1 }
                _ = UnsafeMutableBufferPointer(start: buffer, count: length).update(fromContentsOf: report)
                return Int32(report.count)
            },
            write: { handle, bytes, length in
                guard let handle, let bytes else { return -1 }
                let plug = Unmanaged<Plug>.fromOpaque(handle).takeUnretainedValue()
                // The number of the report comes first; keys without numbered reports have number 0.
                let report = UnsafeBufferPointer(start: bytes, count: length)
                guard length == CTAPHIDPacket.length + 1, report.first == 0, plug.cable.write(Array(report.dropFirst()))
                else { return -1 }
                return Int32(length)
            })
    }
}
