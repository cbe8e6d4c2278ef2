internal import Foundation

/// The file a store lives in: where it is, whose it is, and whether it is one at all.
enum StoreFile {
    enum Kind {
        case missing
        /// Nothing in it, so nothing to lose: what `mktemp` leaves.
        case empty
        case store
    }

    /// The path without links, so that one file has one lock whatever it is called.
    static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        guard let real = realpath(path, nil) else {
            // The file is yet to be made; its directory may be reached over links all the same.
            return url.deletingLastPathComponent().resolvingSymlinksInPath()
                .appendingPathComponent(url.lastPathComponent).path
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// What lies at a path, judged by SQLite's header (its file format §1.3) alone: nothing is written.
    ///
    /// - Throws: ``DeviceStoreError/notAStore(path:)`` for anything else.
    static func kind(of path: String) throws(DeviceStoreError) -> Kind {
        if OpenFile.includes(path) { return .store }
        // A pipe nobody writes to would be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .systemError(path) }
            return .missing
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .systemError(path) }
        // A device reads as empty, and would be removed as a file that has nothing in it.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAStore(path: path) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else { throw .systemError(path) }
        if count == 0 { return .empty }
        let application = header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
        guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)),
            application == Schema.applicationID
        else { throw .notAStore(path: path) }
        return .store
    }

    /// Removes a file that has nothing in it.
    static func removeEmpty(_ path: String) throws(DeviceStoreError) {
        guard try kind(of: path) == .empty else { return }
        guard unlink(path) == 0 else { throw .systemError(path) }
    }

    /// Makes the directory a file will lie in, for its owner only; one that exists stays as it is.
    static func prepareDirectory(of path: String) throws(DeviceStoreError) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .inaccessible(path: path, detail: error.localizedDescription)
        }
    }

    /// Makes an empty file for its owner only, which SQLite's files beside it take after.
    static func makeEmpty(_ path: String) throws(DeviceStoreError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .systemError(path) }
        close(descriptor)
    }

    /// Takes from others what they may do with the file and what lies beside it.
    static func closeToOthers(_ path: String) throws(DeviceStoreError) {
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            guard chmod(name, 0o600) == 0 else { throw .systemError(name) }
        }
    }

    /// Gives a finished file its name, where nothing else has it, and makes that last.
    static func publish(_ temporary: String, as path: String) throws(DeviceStoreError) {
        // Unlike rename, link never takes an existing file's place.
        guard link(temporary, path) == 0 else {
            throw errno == EEXIST ? .exists(path: path) : .systemError(path)
        }
        unlink(temporary)
        let directory = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw .systemError(path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .systemError(path) }
    }

    /// Removes what a process that died while making a file left behind.
    static func removeRemains(_ path: String) {
        for name in [path, path + "-wal", path + "-shm", path + "-journal"] { unlink(name) }
    }
}
