internal import Foundation
internal import Glibc

/// The limits that the system sets to this process.
package enum Limits {
    /// The number of files and connections that the process may have open.
    package static var descriptors: Int {
        var limit = rlimit()
        guard getrlimit(resource(RLIMIT_NOFILE), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    package static func raiseDescriptors() {
        var limit = rlimit()
        guard getrlimit(resource(RLIMIT_NOFILE), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource(RLIMIT_NOFILE), &limit)
    }

    /// Keeps the memory of a crashed process, and the keys in it, off the disk.
    package static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(resource(RLIMIT_CORE), &none)
    }

    #if os(Linux)
    private static func resource(_ resource: __rlimit_resource) -> __rlimit_resource_t {
        __rlimit_resource_t(resource.rawValue)
    }
    #else
    private static func resource(_ resource: Int32) -> Int32 { resource }
    #endif
}
