package import Documents

/// A profile's mapping, merged over the profiles it extends.
package struct ProfileInheritance: Sendable {
    /// The merged profile, without `extends`.
    package let root: YAMLValue
    /// The profiles it extends, nearest first.
    package let bases: [String]

    /// The keys that a profile does not inherit.
    private static let ownKeys = ["name", "title", "summary"]

    /// Merges a profile's document over those it extends.
    ///
    /// - Parameter base: finds the name and the merged document of the profile that `extends` names; it gets the value, and
    ///   throws for a profile that is missing or extends itself.
    package init(
        _ own: YAMLValue, base: (YAMLValue) throws(SourceError) -> (name: String, profile: ProfileInheritance)
    ) throws(SourceError) {
        guard own.isMapping, let extends = own.written(under: "extends"), !extends.isEmpty else {
            root = own
            bases = []
            return
        }
        let found = try base(extends)
        root = try Self.merge(own, over: found.profile.root)
        bases = [found.name] + found.profile.bases
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
}

extension YAMLValue {
    fileprivate func items(of key: String) throws(SourceError) -> [YAMLValue] {
        guard let value = written(under: key), !value.isEmpty else { return [] }
        return try value.items()
    }
}
