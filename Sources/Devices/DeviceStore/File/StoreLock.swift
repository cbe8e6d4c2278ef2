internal import Foundation

/// Keeps two processes from running one device: an advisory lock on a file beside the state, which ends with its
/// process however that ends.
///
/// A file of its own, because closing any descriptor of the database would drop SQLite's own locks on it.
final class StoreLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock, or finds out who has it.
    init(for file: String) throws(DeviceStoreError) {
        path = file + "-lock"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .systemError(file) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                let error = DeviceStoreError.systemError(file)
                let holder = Self.processID(descriptor)
                close(descriptor)
                throw isTaken ? .inUse(path: file, processID: holder) : error
            }
            // Whoever held it before may have removed the file while we waited to open it: then it locks nothing.
            if Self.isSame(descriptor, path) {
                self.descriptor = descriptor
                break
            }
            close(descriptor)
        }
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    /// Who wrote its number into the file last.
    private static func processID(_ descriptor: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

extension DeviceStoreError {
    /// What the operating system last complained about.
    static func systemError(_ path: String) -> DeviceStoreError {
        .inaccessible(path: path, detail: String(cString: strerror(errno)))
    }
}
