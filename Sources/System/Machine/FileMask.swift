internal import Foundation
internal import Synchronization

/// The process's umask, and that of the user who started the program.
package enum FileMask {
    private static let users = Mutex<mode_t?>(nil)

    /// Makes new files, sockets and databases private, whatever the user's umask; reports still follow that one.
    package static func makePrivate() {
        let mask = umask(0o077)
        users.withLock { $0 = $0 ?? mask }
    }

    /// The mode of a new report; nil where the process's umask is still the user's.
    static var modeOfReports: mode_t? { users.withLock { $0 }.map { 0o666 & ~$0 } }
}
