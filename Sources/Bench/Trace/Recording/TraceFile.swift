internal import Foundation
internal import Synchronization

/// A trace on disk: JSON Lines, written line by line, readable and writable by its owner only.
package final class TraceFile: Sendable {
    /// Why a trace cannot be written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file's path as it was given.
        package let path: String
        /// The system's reason.
        package let reason: String

        package var description: String { "\(path) cannot be written: \(reason)" }
    }

    private let path: String
    private let descriptor: Int32
    private let hasFailed = Mutex(false)
    private let onFailure: @Sendable (Failure) -> Void

    /// Makes the file, in place of one that is there.
    ///
    /// - Parameter onFailure: hears of the first line that could not be written; later ones are not tried.
    /// - Throws: ``Failure`` when it cannot be made.
    package init(
        creating path: String, onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, reason: Self.lastError) }
        var status = stat()
        // The mode given to open() does not change a file that was there; a terminal or pipe keeps its own.
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(descriptor, 0o600) != 0 {
            let reason = Self.lastError
            close(descriptor)
            throw Failure(path: path, reason: reason)
        }
        self.path = path
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    deinit {
        close(descriptor)
    }

    /// Writes one line and leaves nothing in a buffer, so that a process that is killed loses nothing it recorded.
    @Sendable package func write(_ record: TraceRecord) {
        guard let line = try? TraceLine.encode(record) else { return }
        hasFailed.withLock { hasFailed in
            guard !hasFailed, let reason = send(line + [UInt8(ascii: "\n")]) else { return }
            hasFailed = true
            onFailure(Failure(path: path, reason: reason))
        }
    }

    /// Writes all bytes; gives the reason when that fails.
    private func send(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno != EINTR, errno != EAGAIN {
                return Self.lastError
            }
        }
        return nil
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}
