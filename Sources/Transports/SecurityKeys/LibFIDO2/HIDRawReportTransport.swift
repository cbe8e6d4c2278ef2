internal import CTAP
internal import Foundation

/// The cable between libfido2 and a key on USB, through its hidraw node (Linux): what libfido2 does itself, but in our
/// sight.
final class HIDRawCable: ReportCable {
    private static let reportLength = 64
    private let descriptor: CInt

    init(path: String) throws(CTAPDeviceError) {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .disconnected("\(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
    }

    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, CInt(clamping: milliseconds)) == 1 else { return nil }
        var report = [UInt8](repeating: 0, count: Self.reportLength)
        // A key that is pulled makes the node ready, with nothing to read.
        guard Foundation.read(descriptor, &report, report.count) == report.count else {
            throw .disconnected("the connection broke: \(String(cString: strerror(errno)))")
        }
        return report
    }

    func write(_ report: [UInt8]) -> Bool {
        let numbered = [0] + report
        return Foundation.write(descriptor, numbered, numbered.count) == numbered.count
    }
}
