internal import Foundation
internal import Glibc
internal import Machine

/// A state file's path, mode and kind.
enum StoreFile {
    enum Kind {
        case missing
        /// A file of length 0, as `mktemp` creates it.
        case empty
        case store
    }

    /// The path without symbolic links, so that one file has one lock under all its names.
    static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        guard let real = realpath(path, nil) else {
            // The file does not exist yet; its directory may still contain links.
            return url.deletingLastPathComponent().resolvingSymlinksInPath()
                .appendingPathComponent(url.lastPathComponent).path
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// The kind of file at a path, by SQLite's header (SQLite file format §1.3); throws `notAStore` for any other.
    static func kind(of path: String) throws(DeviceStoreError) -> Kind {
        if OpenFile.includes(path) { return .store }
        // Opening a pipe without a writer would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .systemError(path) }
            return .missing
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .systemError(path) }
        // A device file reads as empty and would be removed as an empty file.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAStore(path: path) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else { throw .systemError(path) }
        if count == 0 { return .empty }
        let application = header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
        guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)),
            application == StoreSchema.applicationID
        else { throw .notAStore(path: path) }
        return .store
    }

    static func removeEmpty(_ path: String) throws(DeviceStoreError) {
        guard try kind(of: path) == .empty else { return }
        guard unlink(path) == 0 else { throw .systemError(path) }
    }

    /// Creates a file's missing directories with mode 0700, and returns them, innermost first.
    static func prepareDirectory(of path: String) throws(DeviceStoreError) -> [String] {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        var missing: [String] = []
        var place = directory
        while !FileManager.default.fileExists(atPath: place.path) {
            missing.append(place.path)
            place.deleteLastPathComponent()
        }
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .inaccessible(path: path, detail: error.localizedDescription)
        }
        return missing
    }

    /// Creates an empty file with mode 0600, which SQLite copies to its files beside it.
    static func makeEmpty(_ path: String) throws(DeviceStoreError) {
        try DeviceStoreError.naming(path) { _ = close(try OwnFile.create(path)) }
    }

    /// Checks SQLite's files beside the file, which SQLite opens wherever their names lead.
    static func checkCompanions(of path: String) throws(DeviceStoreError) {
        for name in OwnFile.companions(ofDatabase: path) { _ = try check(name) }
    }

    static func isOpenToOthers(_ path: String) throws(DeviceStoreError) -> Bool {
        (try check(path)?.st_mode ?? 0) & 0o077 != 0
    }

    /// Sets mode 0600 on the file and SQLite's files beside it.
    static func restrictAccess(_ path: String) throws(DeviceStoreError) {
        for name in [path] + OwnFile.companions(ofDatabase: path) {
            try DeviceStoreError.naming(name) { try OwnFile.restrictAccess(name) }
        }
    }

    private static func check(_ path: String) throws(DeviceStoreError) -> stat? {
        try DeviceStoreError.naming(path) { try OwnFile.check(path) }
    }

    /// Gives a finished file its name durably, unless another file has the name.
    static func publish(_ temporary: String, as path: String) throws(DeviceStoreError) {
        // Unlike rename, link never replaces an existing file.
        guard link(temporary, path) == 0 else { throw errno == EEXIST ? .exists(path: path) : .systemError(path) }
        unlink(temporary)
        let directory = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw .systemError(path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .systemError(path) }
    }

    /// Removes a file that this process created, and SQLite's files beside it.
    static func remove(_ path: String) {
        for name in [path] + OwnFile.companions(ofDatabase: path) { unlink(name) }
    }

    /// Removes the temporary name of a locked file whose creation was interrupted after it had its own name.
    static func finishCreation(of path: String) {
        guard let file = try? OwnFile.status(path), file.st_nlink > 1 else { return }
        for name in TemporaryName.remains(of: path) {
            guard let remains = try? OwnFile.status(name), remains.st_ino == file.st_ino, remains.st_dev == file.st_dev
            else { continue }
            unlink(name)
        }
    }

    /// Removes what interrupted creations left behind; the caller's lock keeps a process from creating the file now.
    static func removeTemporaryFiles(of path: String) {
        for name in TemporaryName.remains(of: path) {
            // A device that runs on a file of such a name has it locked.
            guard let file = try? OpenFile(name) else { continue }
            withExtendedLifetime(file) { remove(name) }
        }
    }
}
