internal import Foundation
internal import Glibc
internal import Machine

/// An advisory lock on a file beside the state, so that one process at a time runs a device; ends with its process.
///
/// A separate file, because closing any descriptor of the database would drop SQLite's locks on it.
final class StoreLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Takes the lock; throws `inUse` with the process that holds it, if known.
    init(for file: String) throws(DeviceStoreError) {
        path = file + "-lock"
        while true {
            let descriptor: Int32
            do {
                descriptor = try OwnFile.open(path, creates: true)
            } catch {
                if case .system = error { throw .inaccessible(path: file, detail: "\(error)") }
                throw .inaccessible(path: path, detail: "\(error)")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isTaken = errno == EWOULDBLOCK
                let error = DeviceStoreError.systemError(file)
                let holder = Self.processID(descriptor)
                close(descriptor)
                throw isTaken ? .inUse(path: file, processID: holder) : error
            }
            guard Self.isLock(descriptor) else {
                close(descriptor)
                throw .inaccessible(path: path, detail: "\(FileProblem.otherContent("the lock of a state file"))")
            }
            // The previous holder may have removed the file after it was opened here: then the lock excludes no process.
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

    /// Whether the file is empty or holds a process ID alone.
    private static func isLock(_ descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard (0..<buffer.count).contains(count) else { return false }
        return buffer[..<count].allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "\n") }
    }

    /// The process ID in the file, written by its last holder.
    private static func processID(_ descriptor: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

extension DeviceStoreError {
    /// The operating system's last error.
    static func systemError(_ path: String) -> DeviceStoreError {
        .inaccessible(path: path, detail: String(cString: strerror(errno)))
    }
}
