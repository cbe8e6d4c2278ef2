internal import CFIDO2
package import CTAP
internal import CTAPHID
internal import Synchronization

/// Carries CTAPHID reports between libfido2 and a key, through libfido2's I/O functions.
///
/// Every call blocks. Calls come from one thread at a time, except ``write(_:)``, which `fido_dev_cancel` calls from
/// another.
package protocol ReportTransport: AnyObject, Sendable {
    /// The next report of 64 bytes from the key; nil when none arrives within this time.
    ///
    /// - Throws: ``CTAP/CTAPDeviceError/disconnected(_:)`` when the connection is lost.
    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]?
    /// Sends a report of 64 bytes.
    ///
    /// - Returns: false when it could not be sent.
    func write(_ report: [UInt8]) -> Bool
}

/// The longest wait for an answer, in milliseconds, where libfido2 sets no limit.
let libFIDO2WaitLimit = 600_000

/// The registry of report transports that libfido2 can open.
///
/// libfido2's callbacks receive only the path of what they open, so each transport is registered under a path.
enum ReportTransports {
    /// The object behind libfido2's handle.
    private final class Handle: Sendable {
        let transport: any ReportTransport

        init(_ transport: any ReportTransport) { self.transport = transport }
    }

    private static let handles = Mutex<[String: Handle]>([:])
    private static let count = Atomic<Int>(0)

    /// Registers a transport and returns the path under which libfido2 opens it.
    static func connect(_ transport: any ReportTransport) -> String {
        let path = "touchstone:\(count.add(1, ordering: .relaxed).newValue)"
        handles.withLock { $0[path] = Handle(transport) }
        return path
    }

    static func disconnect(_ path: String) {
        _ = handles.withLock { $0.removeValue(forKey: path) }
    }

    /// libfido2's callbacks for input and output.
    static var io: fido_dev_io_t {
        fido_dev_io_t(
            open: { path in
                guard let path, let handle = ReportTransports.handles.withLock({ $0[String(cString: path)] }) else {
                    return nil
                }
                return Unmanaged.passRetained(handle).toOpaque()
            },
            close: { handle in
                guard let handle else { return }
                Unmanaged<Handle>.fromOpaque(handle).release()
            },
            read: { handle, buffer, length, milliseconds in
                guard let handle, let buffer else { return -1 }
                let transport = Unmanaged<Handle>.fromOpaque(handle).takeUnretainedValue().transport
                let limit = milliseconds < 0 ? libFIDO2WaitLimit : min(Int(milliseconds), libFIDO2WaitLimit)
                guard let report = try? transport.read(within: limit), report.count <= length else { return -1 }
                _ = UnsafeMutableBufferPointer(start: buffer, count: length).update(fromContentsOf: report)
                return Int32(report.count)
            },
            write: { handle, bytes, length in
                guard let handle, let bytes else { return -1 }
                let transport = Unmanaged<Handle>.fromOpaque(handle).takeUnretainedValue().transport
                // The report number comes first; it is 0 for keys without numbered reports.
                let report = UnsafeBufferPointer(start: bytes, count: length)
                guard length == CTAPHIDPacket.length + 1, report.first == 0, transport.write(Array(report.dropFirst()))
                else { return -1 }
                return Int32(length)
            })
    }
}
