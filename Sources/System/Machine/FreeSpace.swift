internal import Foundation
internal import Glibc

/// The space of a file system.
package enum FreeSpace {
    /// Whether the file system of a path has no free block for this user; false if the path cannot be examined.
    package static func isExhausted(at path: String) -> Bool { bytes(at: path) == 0 }

    /// The free bytes for this user in the file system of a path; nil if it cannot be examined.
    package static func bytes(at path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}
