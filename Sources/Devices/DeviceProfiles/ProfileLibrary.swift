package import Documents
internal import Foundation
internal import Wording

/// A directory of profiles.
package struct ProfileLibrary: Sendable {
    /// The directory's path.
    package let directory: String

    /// A library at a path.
    package init(directory: String) {
        self.directory = directory
    }

    /// The program's own library: `$TOUCHSTONE_PROFILES`, `profiles` in the working directory, or
    /// `profiles` beside a directory above the executable.
    ///
    /// - Throws: ``SourceError`` with the searched places.
    package static func standard() throws(SourceError) -> ProfileLibrary {
        ProfileLibrary(directory: try ResourceDirectory.locate("profiles", variable: "TOUCHSTONE_PROFILES"))
    }

    /// The paths of all profile files, by name.
    package func files() throws(SourceError) -> [String] {
        try ResourceDirectory.yamlFiles(in: directory)
    }

    /// The profile with a name, or at a path for a name with a slash or one that ends in `.yaml`.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the known ones, and for an invalid file.
    package func profile(_ name: String) throws(SourceError) -> DeviceProfile {
        let resource = ResourceName(name)
        let path = resource.file(in: directory)
        guard resource.isPath || FileManager.default.fileExists(atPath: path) else {
            let names = try files().map(ResourceName.name(ofFile:))
            let question = NearestNames.question(name, among: names)
            throw SourceError(
                file: directory, line: nil,
                message: "unknown profile \"\(name)\""
                    + (question.isEmpty ? "; choose one of \(names.joined(separator: ", "))" : question))
        }
        return try Self.read(path)
    }

    /// Reads one profile file, which must have the profile's name.
    package static func read(_ path: String) throws(SourceError) -> DeviceProfile {
        let profile = try DeviceProfile(parsing: ResourceDirectory.text(of: path), file: path)
        let base = ResourceName.name(ofFile: path)
        guard profile.name == base else {
            throw SourceError(
                file: path, line: nil, message: "the file is named \(base), but its profile is named \(profile.name)")
        }
        return profile
    }
}
