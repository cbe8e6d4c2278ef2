package import DeviceProfiles
package import Documents
internal import Foundation
package import WebAuthn

/// The known keys in a directory.
package struct KnownKeyLibrary: Sendable {
    /// The directory's path.
    package let directory: String

    /// A library at a path.
    package init(directory: String) {
        self.directory = directory
    }

    /// The library that belongs to this program: `keys` in `$TOUCHSTONE_HARDWARE`, in `hardware` in the working
    /// directory, or in `hardware` beside a directory above the executable.
    ///
    /// - Throws: ``SourceError`` naming the places looked at.
    package static func standard() throws(SourceError) -> KnownKeyLibrary {
        let hardware = try ResourceDirectory.locate("hardware", variable: "TOUCHSTONE_HARDWARE")
        return KnownKeyLibrary(directory: "\(hardware)/keys")
    }

    /// The paths of all data files, by name.
    package func files() throws(SourceError) -> [String] {
        try ResourceDirectory.yamlFiles(in: directory)
    }

    /// All keys, by name.
    ///
    /// - Throws: ``SourceError`` for the first file that is wrong, and for an AAGUID that two keys have.
    package func keys() throws(SourceError) -> [KnownKey] {
        var keys: [KnownKey] = []
        var owners: [AAGUID: String] = [:]
        for file in try files() {
            let key = try Self.read(file)
            for model in key.models {
                if let owner = owners.updateValue(key.name, forKey: model.aaguid) {
                    throw SourceError(
                        file: file, line: nil, message: "the AAGUID \(model.aaguid) is \(owner)'s already")
                }
            }
            keys.append(key)
        }
        return keys
    }

    /// The key of a name.
    ///
    /// - Throws: ``SourceError`` when there is none, with the names there are, or when its file is wrong.
    package func key(named name: String) throws(SourceError) -> KnownKey {
        let path = "\(directory)/\(name).yaml"
        guard try files().contains(path) else {
            let names = try files().map(Self.baseName).joined(separator: ", ")
            throw SourceError(
                file: directory, line: nil, message: "there is no known key \"\(name)\"; there are \(names)")
        }
        return try Self.read(path)
    }

    /// The key an AAGUID belongs to, or else the one of that USB ID whose AAGUID no source gives; nil when it is none.
    package func key(with aaguid: AAGUID, usb: USBIdentity? = nil) throws(SourceError) -> KnownKey? {
        let keys = try keys()
        if let key = keys.first(where: { $0.model(aaguid) != nil }) { return key }
        guard let usb else { return nil }
        return keys.first { $0.models.isEmpty && $0.usb.contains { $0.id == usb.id } }
    }

    /// Reads one data file, whose name must be the key's.
    package static func read(_ path: String) throws(SourceError) -> KnownKey {
        let key = try KnownKey(parsing: ResourceDirectory.text(of: path), file: path)
        guard key.name == baseName(path) else {
            throw SourceError(
                file: path, line: nil, message: "the file is named \(baseName(path)), but the key \(key.name)")
        }
        return key
    }

    private static func baseName(_ path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
}
