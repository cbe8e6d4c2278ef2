internal import Foundation
internal import Machine
package import SimulatedDevice

/// State files as bytes, for callers without a file.
extension DeviceStore {
    /// The bytes of a state file with a device's whole state, which is not sealed.
    package static func bytes(
        of content: StoredDevice, for identity: DeviceIdentity, createdAt: Duration
    ) throws(DeviceStoreError) -> [UInt8] {
        try inPrivateFolder { file in
            try writeSnapshot(content, to: file, for: identity, createdAt: createdAt)
            return try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        }
    }

    /// The state in the bytes of a state file that is not sealed, and the kind of its device.
    package static func content(
        of bytes: [UInt8]
    ) throws(DeviceStoreError) -> (identity: DeviceIdentity, state: StoredDevice) {
        try inPrivateFolder { file in
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            let reader = try StoreReader(file)
            guard let state = try reader.content() else {
                throw DeviceStoreError.corrupted(path: file, detail: "it holds no state")
            }
            return (reader.summary.identity, state)
        }
    }

    /// Errors name no path: the file is the caller's bytes.
    private static func inPrivateFolder<Result>(
        _ work: (String) throws -> Result
    ) throws(DeviceStoreError) -> Result {
        let folder = TemporaryName.beside(FileManager.default.temporaryDirectory.appendingPathComponent("state").path)
        do {
            try PrivateDirectory.make(folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            return try work(folder + "/state")
        } catch let error as DeviceStoreError {
            throw error.about("The file")
        } catch {
            throw .inaccessible(path: "The file", detail: "\(error)")
        }
    }
}

extension DeviceStoreError {
    /// The error about another path, or about a name in place of a path.
    fileprivate func about(_ path: String) -> DeviceStoreError {
        switch self {
        case .missing: .missing(path: path)
        case .exists: .exists(path: path)
        case .inaccessible(_, let detail): .inaccessible(path: path, detail: detail)
        case .notAStore: .notAStore(path: path)
        case .newerVersion: .newerVersion(path: path)
        case .corrupted(_, let detail): .corrupted(path: path, detail: detail)
        case .otherDevice(_, let expected, let found): .otherDevice(path: path, expected: expected, found: found)
        case .inUse(_, let processID): .inUse(path: path, processID: processID)
        case .passphraseNeeded: .passphraseNeeded(path: path)
        case .wrongPassphrase: .wrongPassphrase(path: path)
        case .notSealed: .notSealed(path: path)
        }
    }
}
