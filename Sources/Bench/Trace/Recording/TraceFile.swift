internal import Foundation
internal import Synchronization

/// A trace file: JSON Lines with mode 0600, written line by line.
package final class TraceFile: Sendable {
    /// The reason that a trace cannot be written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file's path as given.
        package let path: String
        /// The system's reason.
        package let reason: String

        package var description: String { "\(path) cannot be written: \(reason)" }
    }

    private let path: String
    private let descriptor: Int32
    private let hasFailed = Mutex(false)
    private let onFailure: @Sendable (Failure) -> Void

    /// Creates the file, or overwrites an existing one.
    ///
    /// - Parameter onFailure: is called when a line cannot be written; no further line is written then.
    /// - Throws: ``Failure`` when the file cannot be created.
    package init(
        creating path: String, onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, reason: Self.lastError) }
        var status = stat()
        // open() does not change the mode of an existing file; a terminal or pipe keeps its mode.
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

    /// Writes one line without buffering, so that a killed process loses no record.
    @Sendable package func write(_ record: TraceRecord) {
        guard let line = try? TraceLine.encode(record) else { return }
        hasFailed.withLock { hasFailed in
            guard !hasFailed, let reason = send(line + [UInt8(ascii: "\n")]) else { return }
            hasFailed = true
            onFailure(Failure(path: path, reason: reason))
        }
    }

    /// Writes all bytes; returns the reason when that fails.
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
