import Foundation
import Testing

/// The kernel's end of UHID, or of a hidraw node: one message to a read and to a write, over a socket pair.
final class FakeKernel: Sendable {
    /// The end for an endpoint, which takes ownership of it.
    let descriptor: CInt
    private let own: CInt

    init() throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        (own, descriptor) = (ends[0], ends[1])
        // A missing message must not block a test forever.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(own, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(own)
    }

    /// The next message from the endpoint; empty at its end.
    func read() async -> [UInt8] {
        let own = own
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var buffer = [UInt8](repeating: 0, count: 8192)
                let count = Foundation.read(own, &buffer, buffer.count)
                continuation.resume(returning: Array(buffer.prefix(max(0, count))))
            }
        }
    }

    func write(_ message: [UInt8]) throws {
        guard Foundation.write(own, message, message.count) == message.count else { throw Gone() }
    }

    /// The endpoint has gone.
    struct Gone: Error {}

    /// The device is gone.
    func hangUp() {
        shutdown(own, Int32(SHUT_RDWR))
    }
}
