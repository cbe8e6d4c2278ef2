package import DeviceProfiles
package import Documents
internal import Foundation
package import WebAuthn

/// A directory of known keys.
package struct KnownKeyLibrary: Sendable {
    /// The directory's path.
    package let directory: String

    /// A library at a path.
    package init(directory: String) {
        self.directory = directory
    }

    /// The program's own library: `keys` in `$TOUCHSTONE_HARDWARE`, in `hardware` in the working
    /// directory, or in `hardware` beside a directory above the executable.
    ///
    /// - Throws: ``SourceError`` with the searched places.
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
    /// - Throws: ``SourceError`` for the first invalid file, and for an AAGUID that two keys list.
    package func keys() throws(SourceError) -> [KnownKey] {
        var keys: [KnownKey] = []
        var owners: [AAGUID: String] = [:]
        for file in try files() {
            let key = try Self.read(file)
            for model in key.models {
                if let owner = owners.updateValue(key.name, forKey: model.aaguid) {
                    throw SourceError(
                        file: file, line: nil, message: "the AAGUID \(model.aaguid) belongs to \(owner) already")
                }
            }
            keys.append(key)
        }
        return keys
    }

    /// The key with a name.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the known ones, and for an invalid file.
    package func key(named name: String) throws(SourceError) -> KnownKey {
        let path = "\(directory)/\(name).yaml"
        guard try files().contains(path) else {
            let names = try files().map(Self.baseName).joined(separator: ", ")
            throw SourceError(
                file: directory, line: nil, message: "unknown key \"\(name)\"; choose one of \(names)")
        }
        return try Self.read(path)
    }

    /// The key with an AAGUID, or else the key with a USB ID whose AAGUID no source gives; nil for an unknown key.
    package func key(with aaguid: AAGUID, usb: USBIdentity? = nil) throws(SourceError) -> KnownKey? {
        let keys = try keys()
        if let key = keys.first(where: { $0.model(aaguid) != nil }) { return key }
        guard let usb else { return nil }
        return keys.first { $0.models.isEmpty && $0.usb.contains { $0.id == usb.id } }
    }

    /// Reads one data file, which must have the key's name.
    package static func read(_ path: String) throws(SourceError) -> KnownKey {
        let key = try KnownKey(parsing: ResourceDirectory.text(of: path), file: path)
        guard key.name == baseName(path) else {
            throw SourceError(
                file: path, line: nil, message: "the file is named \(baseName(path)), but its key is named \(key.name)")
        }
        return key
    }

    private static func baseName(_ path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
}
