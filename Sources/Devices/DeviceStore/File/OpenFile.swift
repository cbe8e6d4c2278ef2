internal import Foundation
internal import Synchronization

/// The state files this process has open.
///
/// Opening and closing one of them outside SQLite would drop SQLite's locks on it: POSIX locks belong to the process and
/// end with the first descriptor closed. Another process could then remove the log of a running device.
final class OpenFile: Sendable {
    private struct ID: Hashable {
        let device: UInt64
        let inode: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    private static let ids = Mutex<Set<ID>>([])
    private let id: ID?

    /// Registers a file as open until this object is released.
    init(_ path: String) {
        let id = ID(path)
        self.id = id
        if let id { _ = Self.ids.withLock { $0.insert(id) } }
    }

    deinit {
        if let id { _ = Self.ids.withLock { $0.remove(id) } }
    }

    /// Whether a store of this process has the file open.
    static func includes(_ path: String) -> Bool {
        guard let id = ID(path) else { return false }
        return ids.withLock { $0.contains(id) }
    }
}
