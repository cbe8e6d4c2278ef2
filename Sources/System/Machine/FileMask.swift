internal import Foundation

/// The rights that new files do without.
package enum FileMask {
    /// The umask with which the user started the program; from the first use on, the program's own is 077.
    static let ofUser = umask(0o077)

    /// Makes new files private from now on, under any umask of the user.
    package static func makePrivate() { _ = ofUser }
}
