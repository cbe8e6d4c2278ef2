internal import Foundation

/// The reason why a file is not used; it is unchanged.
package enum FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case system(Int32)
    /// A symbolic link, which may lead to a file that has nothing to do with the program.
    case link
    /// A directory, a pipe, a socket or a device.
    case noFile
    case foreign
    case severalNames
    /// It has other content than the program writes there; the value names that content.
    case otherContent(String)
    case open

    /// The rest of the sentence "FILE cannot be used: …".
    package var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .link: "it is a symbolic link; name the file itself"
        case .noFile: "it is not a regular file; choose another name"
        case .foreign: "it belongs to another user; choose another name"
        case .severalNames: "it has several names (hard links); remove the others"
        case .otherContent(let kind): "it exists and is not \(kind); choose another name or remove it"
        case .open: "other users can enter it; `chmod 700` it"
        }
    }

    package static var last: FileProblem { errno == ELOOP ? .link : .system(errno) }
}
