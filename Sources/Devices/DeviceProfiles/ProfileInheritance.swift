internal import Documents
internal import Foundation

/// A profile's mapping, merged over the profiles it extends.
struct ProfileInheritance {
    /// The merged profile, without `extends`.
    let root: YAMLValue
    /// The profiles it extends, nearest first.
    let bases: [String]

    /// The keys that a profile does not inherit.
    private static let ownKeys = ["name", "title", "summary"]

    /// Reads a profile file and those it extends; throws for a base that is missing, extends itself or is not YAML.
    init(
        parsing text: String, file: String, descendants: [String] = [], extendsByNameOnly: Bool = false
    ) throws(SourceError) {
        let own = try YAMLValue.parse(text, file: file)
        guard own.isMapping, let extends = own.written(under: "extends"), !extends.isEmpty else {
            root = own
            bases = []
            return
        }
        let name = try extends.string()
        if extendsByNameOnly, ResourceName.plainName(name) == nil {
            throw extends.error("expected the name of a profile, found a path")
        }
        let path = try Self.path(of: name, from: file, extends, inLibraryOnly: extendsByNameOnly)
        let family = descendants + [Self.canonical(file)]
        guard !family.contains(Self.canonical(path)) else {
            let (own, base) = (ResourceName.name(ofFile: file), ResourceName.name(ofFile: path))
            throw extends.error("\(base) and \(own) extend each other; remove extends from one of them")
        }
        let base = try ProfileInheritance(parsing: ResourceFiles.text(of: path), file: path, descendants: family)
        root = try Self.merge(own, over: base.root)
        bases = [ResourceName.name(ofFile: path)] + base.bases
    }

    private static func merge(_ own: YAMLValue, over base: YAMLValue) throws(SourceError) -> YAMLValue {
        var inherited = base
        for key in ownKeys { inherited = inherited.setting(key, to: nil) }
        var merged = own.merged(over: inherited)
        // The base's unverified settings stay unverified, except those that this profile replaces.
        let doubts = try base.items(of: "unverified").filter { doubt in
            !own.replaces((try? doubt.string()) ?? "")
        }
        merged = try merged.setting("unverified", to: list(doubts + own.items(of: "unverified"), at: own))
        merged = try merged.setting("sources", to: list(base.items(of: "sources") + own.items(of: "sources"), at: own))
        return merged.setting("extends", to: nil)
    }

    private static func list(_ items: [YAMLValue], at place: YAMLValue) -> YAMLValue? {
        var texts: Set<String> = []
        let unique = items.filter { texts.insert((try? $0.string()) ?? "").inserted }
        return unique.isEmpty ? nil : YAMLValue(.list(unique), at: place)
    }

    /// The file of a base: a path relative to the profile, or a name in its directory or in the program's library.
    ///
    /// A user's profile may extend the built-in profile of the same name.
    private static func path(
        of name: String, from file: String, _ place: YAMLValue, inLibraryOnly: Bool
    ) throws(SourceError) -> String {
        if case .path(let path) = ResourceName(name).resolved(against: file) {
            guard ResourceFiles.exists(path) else { throw place.error("the file \(path) does not exist") }
            return path
        }
        let own = inLibraryOnly ? nil : ResourceName.directory(ofFile: file)
        let library = (try? ResourceLibrary.standard(.profile).directories) ?? []
        let directories = [own].compactMap(\.self) + library.filter { $0 != own }
        let paths = directories.flatMap { ResourceName.name(name).files(in: $0) }
        let child = canonical(file)
        guard let path = paths.first(where: { ResourceFiles.exists($0) && canonical($0) != child }) else {
            let searched = directories.map(ResourceLibrary.title(ofDirectory:))
            throw place.error("unknown profile \"\(name)\"; searched \(searched.joined(separator: " and "))")
        }
        return path
    }

    private static func canonical(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}

extension YAMLValue {
    fileprivate func items(of key: String) throws(SourceError) -> [YAMLValue] {
        guard let value = written(under: key), !value.isEmpty else { return [] }
        return try value.items()
    }
}
