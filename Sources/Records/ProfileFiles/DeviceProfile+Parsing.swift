package import DeviceProfiles
package import Documents
internal import Foundation
internal import YAMLFiles

extension DeviceProfile {
    /// Reads a profile file and the profiles it extends.
    ///
    /// - Parameter extendsByNameOnly: whether it may extend only profiles in the program's library.
    package init(parsing text: String, file: String, extendsByNameOnly: Bool = false) throws(SourceError) {
        let inheritance = try ProfileFamily(extendsByNameOnly: extendsByNameOnly).read(text, file: file)
        try self.init(inheritance, text: inheritance.bases.isEmpty ? text : inheritance.root.text())
    }
}

/// The files of a profile and of those that extend it, while they are read.
private struct ProfileFamily {
    let extendsByNameOnly: Bool
    /// The files that extend the one to be read.
    var descendants: [String] = []

    /// Reads a profile file and those it extends; throws for a base that is missing, extends itself or is not YAML.
    func read(_ text: String, file: String) throws(SourceError) -> ProfileInheritance {
        let own = try YAMLValue.parse(text, file: file)
        return try ProfileInheritance(own) { extends throws(SourceError) in try base(of: file, extends) }
    }

    private func base(of file: String, _ extends: YAMLValue) throws(SourceError) -> (
        name: String, profile: ProfileInheritance
    ) {
        let name = try extends.string()
        if extendsByNameOnly, ResourceName.plainName(name) == nil {
            throw extends.error("expected the name of a profile, found a path")
        }
        let path = try path(of: name, from: file, extends)
        let family = descendants + [Self.canonical(file)]
        guard !family.contains(Self.canonical(path)) else {
            let (own, base) = (ResourceName.name(ofFile: file), ResourceName.name(ofFile: path))
            throw extends.error("\(base) and \(own) extend each other; remove extends from one of them")
        }
        let ancestors = ProfileFamily(extendsByNameOnly: false, descendants: family)
        return (ResourceName.name(ofFile: path), try ancestors.read(ResourceFiles.text(of: path), file: path))
    }

    /// The file of a base: a path relative to the profile, or a name in its directory or in the program's library.
    ///
    /// A user's profile may extend the built-in profile of the same name.
    private func path(of name: String, from file: String, _ place: YAMLValue) throws(SourceError) -> String {
        if case .path(let path) = ResourceName(name).resolved(against: file) {
            guard ResourceFiles.exists(path) else { throw place.error("the file \(path) does not exist") }
            return path
        }
        let own = extendsByNameOnly ? nil : ResourceName.directory(ofFile: file)
        let library = (try? ResourceLibrary.standard(.profile).directories) ?? []
        let directories = [own].compactMap(\.self) + library.filter { $0 != own }
        let paths = directories.flatMap { ResourceName.name(name).files(in: $0) }
        let child = Self.canonical(file)
        guard let path = paths.first(where: { ResourceFiles.exists($0) && Self.canonical($0) != child }) else {
            let searched = directories.map(ResourceLibrary.title(ofDirectory:))
            throw place.error("unknown profile \"\(name)\"; searched \(searched.joined(separator: " and "))")
        }
        return path
    }

    private static func canonical(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
