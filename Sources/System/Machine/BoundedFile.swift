internal import Foundation
internal import Glibc

/// Reads a file that another person may have chosen: a pipe without a writer or an endless device must not hold the
/// program.
package enum BoundedFile {
    /// The longest wait for a pipe's next bytes.
    private static let timeLimit: Int32 = 10_000

    /// Whether users other than the owner can read a regular file.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_mode & 0o044 != 0
    }

    /// The bytes of a file up to a limit, and one more of a longer file; nil for a file that cannot be read.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, timeLimit)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Foundation.read(descriptor, &chunk, min(chunk.count, limit + 1 - bytes.count))
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}
