internal import CTAP
internal import Foundation
internal import SecurityKeys

/// Carries CTAPHID reports to a device over UDP, one in each datagram.
final class UDPReports: ReportTransport {
    private static let reportLength = 64
    private let descriptor: CInt

    init(host: String, port: Int) throws(CTAPDeviceError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0, let address = found?.pointee else {
            throw .disconnected("\(host) cannot be resolved: \(String(cString: gai_strerror(status)))")
        }
        descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0, connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            throw .disconnected("cannot reach \(host):\(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, CInt(clamping: milliseconds)) == 1 else { return nil }
        var report = [UInt8](repeating: 0, count: Self.reportLength)
        guard recv(descriptor, &report, report.count, 0) == report.count else {
            throw .disconnected("the connection was lost: \(String(cString: strerror(errno)))")
        }
        return report
    }

    func write(_ report: [UInt8]) -> Bool { send(descriptor, report, report.count, 0) == report.count }
}
