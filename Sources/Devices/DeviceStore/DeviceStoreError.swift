/// Why a device's state file cannot be used; whatever the reason, the file stays as it was.
package enum DeviceStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such file.
    case missing(path: String)
    /// There is a file where a new one was to be made.
    case exists(path: String)
    /// The file or its directory cannot be read or written.
    case inaccessible(path: String, detail: String)
    /// The file holds something else.
    case notAStore(path: String)
    /// A later version of this program wrote it.
    case newerVersion(path: String)
    /// The file is damaged.
    case corrupted(path: String, detail: String)
    /// It is the state of another kind of device.
    case otherDevice(path: String, expected: DeviceIdentity, found: DeviceIdentity)
    /// A device that runs uses it; with its process where that is known.
    case inUse(path: String, processID: Int32?)
    /// The file is sealed and no passphrase was given.
    case passphraseNeeded(path: String)
    /// The passphrase is not the one the file was sealed with.
    case wrongPassphrase(path: String)
    /// A passphrase was given for a file that is not sealed.
    case notSealed(path: String)

    package var description: String {
        switch self {
        case .missing(let path): "there is no file \(path)"
        case .exists(let path): "\(path) exists already; choose another name or remove it first"
        case .inaccessible(let path, let detail): "\(path) cannot be used: \(detail)"
        case .notAStore(let path): "\(path) is not the state of a device"
        case .newerVersion(let path): "\(path) was written by a later version of this program"
        case .corrupted(let path, let detail): "\(path) is damaged: \(detail)"
        case .otherDevice(let path, let expected, let found):
            "\(path) is the state of a \(found.profileName), not of a \(expected.profileName)"
                + (found.profileName == expected.profileName ? " with this AAGUID" : "")
        case .inUse(let path, let processID):
            "\(path) is in use by a device that runs" + (processID.map { " (process \($0))" } ?? "")
        case .passphraseNeeded(let path): "\(path) is sealed with a passphrase, and none was given"
        case .wrongPassphrase(let path): "\(path) is sealed with another passphrase"
        case .notSealed(let path): "\(path) is not sealed, but a passphrase was given"
        }
    }
}
