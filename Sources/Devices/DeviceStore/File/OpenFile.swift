internal import Foundation
internal import Glibc
internal import Machine
internal import Synchronization

/// A state file that this process has open, locked under all its names.
///
/// Opening and closing a state file outside SQLite drops SQLite's locks on it: POSIX locks belong to the process and
/// end with the first descriptor closed. Another process could then remove the log of a running device. So the file
/// stays open here until SQLite has closed it.
final class OpenFile: Sendable {
    private struct ID: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
        }

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    private static let ids = Mutex<Set<ID>>([])
    private let id: ID
    private let descriptor: Int32

    /// Locks a file until this object is released; throws `inUse` when a device runs on the file under any name.
    init(_ path: String) throws(DeviceStoreError) {
        let descriptor = try DeviceStoreError.naming(path) { try OwnFile.open(path, creates: false) }
        // Elsewhere than on Linux this lock would conflict with SQLite's own.
        #if os(Linux)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = DeviceStoreError.systemError(path)
            close(descriptor)
            throw isTaken ? .inUse(path: path, processID: nil) : error
        }
        #endif
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = DeviceStoreError.systemError(path)
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        let id = ID(status)
        self.id = id
        _ = Self.ids.withLock { $0.insert(id) }
    }

    deinit {
        _ = Self.ids.withLock { $0.remove(id) }
        close(descriptor)
    }

    /// Whether a store of this process has the file open.
    static func includes(_ path: String) -> Bool {
        guard let id = ID(path) else { return false }
        return ids.withLock { $0.contains(id) }
    }
}
