package import DeviceProfiles
package import Documents
package import WebAuthn
internal import YAMLFiles

/// Known keys that are found by name.
package struct KnownKeyLibrary: Sendable {
    private let library: ResourceLibrary

    package init(directory: String) { library = ResourceLibrary(.knownKey, directories: [directory]) }

    private init(_ library: ResourceLibrary) { self.library = library }

    /// The known keys in `$TOUCHSTONE_HARDWARE/keys`, then in `hardware/keys` in the working directory, then the
    /// built-in ones.
    package static func standard() throws(SourceError) -> KnownKeyLibrary { KnownKeyLibrary(try .standard(.knownKey)) }

    /// The paths of all data files, by name.
    package func files() throws(SourceError) -> [String] { try library.files() }

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

    /// - Throws: ``SourceError`` for an unknown name, with the known ones, and for an invalid file.
    package func key(named name: String) throws(SourceError) -> KnownKey { try Self.read(library.file(name)) }

    /// The key with an AAGUID, or else the key with a USB ID whose AAGUID no source gives; nil for an unknown key.
    package func key(with aaguid: AAGUID, usb: USBIdentity? = nil) throws(SourceError) -> KnownKey? {
        let keys = try keys()
        if let key = keys.first(where: { $0.model(aaguid) != nil }) { return key }
        guard let usb else { return nil }
        return keys.first { $0.models.isEmpty && $0.usb.contains { $0.id == usb.id } }
    }

    /// Reads one data file, which must have the key's name.
    package static func read(_ path: String) throws(SourceError) -> KnownKey {
        let key = try KnownKey(parsing: ResourceFiles.text(of: path), file: path)
        guard key.name == ResourceName.name(ofFile: path) else {
            throw SourceError(
                file: path, line: nil,
                message: "the file is named \(ResourceName.name(ofFile: path)), but its key is named \(key.name)")
        }
        return key
    }
}
