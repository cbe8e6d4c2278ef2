internal import CTAP
internal import Foundation
internal import Synchronization
internal import Transports

/// Carries CTAPHID reports between libfido2 and a USB key through its hidraw node (Linux).
///
/// It works as libfido2's own transport, and makes the reports observable.
final class HIDRawReportTransport: ReportTransport {
    private static let reportLength = 64
    private let descriptor: CInt
    private let pace = Mutex(ReportPace.toKey)

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
        // The node of an unplugged key is ready, with nothing to read.
        guard Foundation.read(descriptor, &report, report.count) == report.count else {
            throw .disconnected("the connection was lost: \(String(cString: strerror(errno)))")
        }
        pace.withLock { $0.refill() }
        return report
    }

    func write(_ report: [UInt8]) -> Bool {
        pace.awaitTurn()
        let numbered = [0] + report
        return Foundation.write(descriptor, numbered, numbered.count) == numbered.count
    }
}
