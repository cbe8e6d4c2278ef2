package import Documents
internal import Foundation
internal import Wording

/// The profiles in a directory.
package struct ProfileLibrary: Sendable {
    /// The directory's path.
    package let directory: String

    /// A library at a path.
    package init(directory: String) {
        self.directory = directory
    }

    /// The library that belongs to this program: `$TOUCHSTONE_PROFILES`, `profiles` in the working directory, or
    /// `profiles` beside a directory above the executable.
    ///
    /// - Throws: ``SourceError`` naming the places looked at.
    package static func standard() throws(SourceError) -> ProfileLibrary {
        ProfileLibrary(directory: try ResourceDirectory.locate("profiles", variable: "TOUCHSTONE_PROFILES"))
    }

    /// The paths of all profile files, by name.
    package func files() throws(SourceError) -> [String] {
        try ResourceDirectory.yamlFiles(in: directory)
    }

    /// The profile of a name, or at a path when `name` has a slash or ends in `.yaml`.
    ///
    /// - Throws: ``SourceError`` when there is none, with the names there are, or when its file is wrong.
    package func profile(_ name: String) throws(SourceError) -> DeviceProfile {
        if name.contains("/") || name.hasSuffix(".yaml") { return try Self.read(name) }
        let path = "\(directory)/\(name).yaml"
        guard FileManager.default.fileExists(atPath: path) else {
            let names = try files().map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
            let question = NearestNames.question(name, among: names)
            throw SourceError(
                file: directory, line: nil,
                message: "there is no profile \"\(name)\""
                    + (question.isEmpty ? "; there are \(names.joined(separator: ", "))" : question))
        }
        return try Self.read(path)
    }

    /// Reads one profile file, whose name must be the profile's.
    package static func read(_ path: String) throws(SourceError) -> DeviceProfile {
        let profile = try DeviceProfile(parsing: ResourceDirectory.text(of: path), file: path)
        let base = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard profile.name == base else {
            throw SourceError(
                file: path, line: nil, message: "the file is named \(base), but the profile \(profile.name)")
        }
        return profile
    }
}
