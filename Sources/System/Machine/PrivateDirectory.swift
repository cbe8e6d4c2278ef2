internal import Foundation

/// A directory that only its owner can enter.
package enum PrivateDirectory {
    /// Whether a directory exists; no symbolic link is followed.
    ///
    /// - Throws: ``FileProblem`` for another user's directory, one that others can enter, and anything else.
    package static func check(_ path: String) throws(FileProblem) -> Bool {
        let status: stat
        do {
            status = try OwnFile.status(path)
        } catch {
            guard error != .system(ENOENT) else { return false }
            throw error
        }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw .link }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(ENOTDIR) }
        guard status.st_uid == geteuid() else { throw .foreign }
        guard status.st_mode & 0o077 == 0 else { throw .open }
        return true
    }

    /// Creates a directory with mode 0700, with those above it; checks an existing one.
    package static func make(_ path: String) throws(FileProblem) {
        guard try !check(path) else { return }
        let above = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // Directories above it that exist already may be open to others.
        if access(above, F_OK) != 0 { try make(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
        _ = try check(path)
    }
}
