package import Documents
internal import Synchronization
internal import Wording

extension DeviceProfile {
    /// The names of the built-in profiles, in order.
    package static var builtInNames: [String] { compiledProfiles.keys.sorted() }

    /// The built-in profiles that were read: a test suite makes hundreds of phones of one kind.
    private static let known = Mutex<[String: DeviceProfile]>([:])

    /// The built-in profile with a name; reads no file.
    ///
    /// Its ``text`` is JSON.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the nearest ones.
    package static func builtIn(named name: String) throws(SourceError) -> DeviceProfile {
        if let profile = known.withLock({ $0[name] }) { return profile }
        let inheritance = try ProfileInheritance(builtIn: name) { () throws(SourceError) -> Never in
            let names = builtInNames
            throw SourceError(
                file: "profiles", line: nil,
                message: "unknown profile \"\(name)\""
                    + NearestNames.question(
                        name, among: names, orElse: "choose one of \(names.joined(separator: ", "))"))
        }
        let profile = try DeviceProfile(inheritance, text: inheritance.root.json)
        known.withLock { $0[name] = profile }
        return profile
    }
}

extension ProfileInheritance {
    /// Reads a built-in profile and those it extends.
    fileprivate init(builtIn name: String, otherwise: () throws(SourceError) -> Never) throws(SourceError) {
        guard let json = compiledProfiles[name] else { try otherwise() }
        let own = try YAMLValue(json: json, file: "\(BuiltInPath.root)profiles/\(name)")
        try self.init(own) { extends throws(SourceError) in
            let base = try extends.string()
            return (
                base,
                try ProfileInheritance(builtIn: base) { () throws(SourceError) -> Never in
                    throw extends.error("unknown profile \"\(base)\"")
                }
            )
        }
    }
}
