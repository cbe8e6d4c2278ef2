package import DeviceProfiles
package import Documents
internal import Synchronization
internal import YAMLFiles

/// Profiles that are found by name.
package struct ProfileLibrary: Sendable {
    /// The profiles that were read, by the requested name.
    private final class Cache: Sendable {
        let profiles = Mutex<[String: DeviceProfile]>([:])
    }

    private let library: ResourceLibrary
    /// Nil if the library reads the file each time.
    private var cache: Cache?

    package init(directory: String) { self.init(ResourceLibrary(.profile, directories: [directory])) }

    private init(_ library: ResourceLibrary) { self.library = library }

    /// A copy of the library that keeps each profile it reads, for use where a later change of a file does not matter.
    package func caching() -> ProfileLibrary {
        var library = self
        library.cache = Cache()
        return library
    }

    /// The profiles in `$TOUCHSTONE_PROFILES` and in the working directory's `profiles`, then the built-in ones.
    package static func standard() throws(SourceError) -> ProfileLibrary { ProfileLibrary(try .standard(.profile)) }

    /// The directories with the profiles, the first to be searched first.
    package var directories: [String] { library.directories }

    /// The paths of all profile files, by name.
    package func files() throws(SourceError) -> [String] { try library.files() }

    /// The profile with a name, or at a path for a name with a slash or one that ends in `.yaml`.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the nearest ones, and for an invalid file.
    package func profile(_ name: String) throws(SourceError) -> DeviceProfile {
        if let known = cache?.profiles.withLock({ $0[name] }) { return known }
        let profile = try Self.read(library.file(name))
        cache?.profiles.withLock { $0[name] = profile }
        return profile
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
