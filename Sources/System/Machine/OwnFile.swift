package import Foundation
internal import Glibc

/// Opens files that belong to the program: no symbolic link is followed, and nothing but a regular file of this user
/// with one name is used.
package enum OwnFile {
    /// Opens a file for reading and writing, and creates a missing one if `creates`; the caller closes the descriptor.
    package static func open(_ path: String, creates: Bool) throws(FileProblem) -> Int32 {
        // A pipe without a reader would block.
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        while true {
            // Opening a device alone can have an effect.
            _ = try check(path)
            let existing = Foundation.open(path, flags)
            if existing >= 0 {
                do {
                    try check(existing)
                    return existing
                } catch {
                    close(existing)
                    throw error
                }
            }
            switch errno {
            case ENOENT where creates:
                // Exclusively, because a dangling link would otherwise create its target.
                do {
                    return try create(path)
                } catch {
                    guard error == .system(EEXIST) else { throw error }
                }
            default: throw .last
            }
        }
    }

    /// Creates a file with mode 0600; throws ``FileProblem/system(_:)`` with `EEXIST` for an existing file or link.
    package static func create(_ path: String) throws(FileProblem) -> Int32 {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
        // The umask may have taken the owner's rights, too.
        guard fchmod(descriptor, 0o600) == 0 else {
            let problem = FileProblem.last
            close(descriptor)
            throw problem
        }
        return descriptor
    }

    /// Checks the file at a path without opening it; nil for a missing one.
    package static func check(_ path: String) throws(FileProblem) -> stat? {
        let status: stat
        do {
            status = try self.status(path)
        } catch {
            guard error != .system(ENOENT) else { return nil }
            throw error
        }
        try check(status)
        return status
    }

    /// Sets mode 0600 on a file that other users may read or write; a missing one is left out.
    package static func restrictAccess(_ path: String) throws(FileProblem) {
        guard let status = try check(path), status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, 0o600) == 0 else { throw .last }
    }

    /// The names of SQLite's files beside a database.
    package static func companions(ofDatabase path: String) -> [String] {
        ["-wal", "-shm", "-journal"].map { path + $0 }
    }

    /// The bytes of a file of this user up to a limit, and one more of a longer file; nil for a missing one.
    package static func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8]? {
        let descriptor: Int32
        do {
            descriptor = try open(path, creates: false)
        } catch {
            guard error != .system(ENOENT) else { return nil }
            throw error
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        guard status.st_uid == geteuid() else { throw .foreign }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes[count...].withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .last }
            guard more > 0 else { break }
            count += more
        }
        return Array(bytes[..<count])
    }

    private static func check(_ descriptor: Int32) throws(FileProblem) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        try check(status)
    }

    private static func check(_ status: stat) throws(FileProblem) {
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .link }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        // Root may use the files of the user it works for.
        guard status.st_uid == geteuid() || geteuid() == 0 else { throw .foreign }
        guard status.st_nlink <= 1 else { throw .severalNames }
    }

    /// The system's information about a file; a symbolic link is not followed.
    package static func status(_ path: String) throws(FileProblem) -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last }
        return status
    }

    /// Writes all bytes at the descriptor's place.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileProblem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno != EINTR, errno != EAGAIN {
                throw .last
            }
        }
    }

    /// Writes a file of mode 0600 whole, in place of the one at the path, if there is one.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(FileProblem) {
        let temporary = TemporaryName.beside(path)
        let descriptor = try create(temporary)
        defer { close(descriptor) }
        do throws(FileProblem) {
            try write(bytes, to: descriptor)
            guard rename(temporary, path) == 0 else { throw FileProblem.last }
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
