/// The reason a device's state file cannot be used; the file is unchanged.
package enum DeviceStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(path: String)
    case exists(path: String)
    /// The file or its directory cannot be read or written.
    case inaccessible(path: String, detail: String)
    case notAStore(path: String)
    case newerVersion(path: String)
    case corrupted(path: String, detail: String)
    case otherDevice(path: String, expected: DeviceIdentity, found: DeviceIdentity)
    /// A running device uses the file; with its process, if known.
    case inUse(path: String, processID: Int32?)
    case passphraseNeeded(path: String)
    case wrongPassphrase(path: String)
    case notSealed(path: String)

    package var description: String {
        switch self {
        case .missing(let path): "\(path) was not found"
        case .exists(let path): "\(path) already exists; choose another name or remove it"
        case .inaccessible(let path, let detail): "\(path) cannot be used: \(detail)"
        case .notAStore(let path): "\(path) is not a device's state; choose another file"
        case .newerVersion(let path): "\(path) was written by a later version of this program; use that version"
        case .corrupted(let path, let detail): "\(path) is damaged: \(detail)"
        case .otherDevice(let path, let expected, let found):
            "\(path) is the state of a \(found.profileName), not of a \(expected.profileName)"
                + (found.profileName == expected.profileName ? " with this AAGUID" : "")
        case .inUse(let path, let processID):
            "\(path) is in use by a running device" + (processID.map { " (process \($0))" } ?? "") + "; stop it first"
        case .passphraseNeeded(let path):
            "\(path) is sealed with a passphrase, and none was given; use --ask-passphrase or --passphrase-file"
        case .wrongPassphrase(let path): "\(path) is sealed with another passphrase; give the right one"
        case .notSealed(let path): "\(path) is not sealed; give no passphrase"
        }
    }
}
