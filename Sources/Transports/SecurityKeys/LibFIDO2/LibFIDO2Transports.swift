internal import CFIDO2
internal import CTAPHID
internal import Synchronization

/// The transports that libfido2 can open.
///
/// libfido2's callbacks receive only the path of the device, so each transport is registered under a path.
enum LibFIDO2Transports {
    private final class Handle: Sendable {
        let reports: (any ReportTransport)?
        let messages: MessageTransport?

        init(reports: (any ReportTransport)?, messages: MessageTransport?) {
            self.reports = reports
            self.messages = messages
        }
    }

    private static let handles = Mutex<[String: Handle]>([:])
    private static let count = Atomic<Int>(0)
    /// The longest wait for an answer, in milliseconds, where libfido2 sets no limit.
    private static let waitLimit = 600_000

    /// Registers a transport and returns the path under which libfido2 opens it.
    static func connect(reports: (any ReportTransport)? = nil, messages: MessageTransport? = nil) -> String {
        let path = "touchstone:\(count.add(1, ordering: .relaxed).newValue)"
        handles.withLock { $0[path] = Handle(reports: reports, messages: messages) }
        return path
    }

    static func disconnect(_ path: String) { handles.withLock { $0.removeValue(forKey: path) }?.messages?.cancel() }

    static func messages(of device: OpaquePointer?) -> MessageTransport? {
        device.flatMap { handle(fido_dev_io_handle($0))?.messages }
    }

    static func limit(_ milliseconds: Int32) -> Int { milliseconds < 0 ? waitLimit : min(Int(milliseconds), waitLimit) }

    private static func handle(_ pointer: UnsafeMutableRawPointer?) -> Handle? {
        pointer.map { Unmanaged<Handle>.fromOpaque($0).takeUnretainedValue() }
    }

    static var io: fido_dev_io_t {
        fido_dev_io_t(
            open: { path in
                guard let path, let handle = LibFIDO2Transports.handles.withLock({ $0[String(cString: path)] }) else {
                    return nil
                }
                return Unmanaged.passRetained(handle).toOpaque()
            },
            close: { handle in
                guard let handle else { return }
                Unmanaged<Handle>.fromOpaque(handle).release()
            },
            read: { handle, buffer, length, milliseconds in
                guard let transport = LibFIDO2Transports.handle(handle)?.reports, let buffer,
                    let report = try? transport.read(within: LibFIDO2Transports.limit(milliseconds)),
                    report.count <= length
                else { return -1 }
                _ = UnsafeMutableBufferPointer(start: buffer, count: length).update(fromContentsOf: report)
                return Int32(report.count)
            },
            write: { handle, bytes, length in
                guard let transport = LibFIDO2Transports.handle(handle)?.reports, let bytes else { return -1 }
                // The report number comes first; it is 0 for keys without numbered reports.
                let report = UnsafeBufferPointer(start: bytes, count: length)
                guard length == CTAPHIDPacket.length + 1, report.first == 0, transport.write(Array(report.dropFirst()))
                else { return -1 }
                return Int32(length)
            })
    }
}
