package import Documents

/// Profiles that are found by name.
package struct ProfileLibrary: Sendable {
    private let library: ResourceLibrary

    /// The profiles of one directory.
    package init(directory: String) {
        library = ResourceLibrary(.profile, directories: [directory])
    }

    private init(_ library: ResourceLibrary) {
        self.library = library
    }

    /// The profiles in `$TOUCHSTONE_PROFILES` and in `profiles` in the working directory, then those built into the
    /// program.
    package static func standard() throws(SourceError) -> ProfileLibrary {
        ProfileLibrary(try .standard(.profile))
    }

    /// The paths of all profile files, by name.
    package func files() throws(SourceError) -> [String] {
        try library.files()
    }

    /// The profile with a name, or at a path for a name with a slash or one that ends in `.yaml`.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the nearest ones, and for an invalid file.
    package func profile(_ name: String) throws(SourceError) -> DeviceProfile {
        try Self.read(library.file(name))
    }

    /// Reads one profile file, which must have the profile's name.
    package static func read(_ path: String) throws(SourceError) -> DeviceProfile {
        let profile = try DeviceProfile(parsing: ResourceFiles.text(of: path), file: path)
        let base = ResourceName.name(ofFile: path)
        guard profile.name == base else {
            throw SourceError(
                file: path, line: nil, message: "the file is named \(base), but its profile is named \(profile.name)")
        }
        return profile
    }
}
