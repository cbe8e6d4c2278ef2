internal import Foundation
internal import Glibc

/// The space of a file system.
package enum FreeSpace {
    /// Whether the file system of a path has no free block for this user; false if the path cannot be examined.
    package static func isExhausted(at path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_bavail == 0
    }
}
