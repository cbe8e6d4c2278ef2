internal import Foundation

/// Keeps two processes from running one device: an advisory lock on a file beside the state, which ends with its
/// process however that ends.
///
/// A file of its own, because closing any descriptor of the database would drop SQLite's own locks on it.
final class StoreLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or finds out who has it.
    init(for path: String) throws(DeviceStoreError) {
        let descriptor = open(path + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .systemError(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = DeviceStoreError.systemError(path)
            let holder = Self.processID(descriptor)
            close(descriptor)
            throw isTaken ? .inUse(path: path, processID: holder) : error
        }
        self.descriptor = descriptor
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit {
        close(descriptor)
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
