internal import Documents

extension JSONValue {
    /// Gives the member at a path of names another value; nil removes it.
    mutating func set(_ path: String..., to value: JSONValue?) { self = setting(path[...], to: value) }

    private func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        var members = object ?? [:]
        let rest = path.dropFirst()
        members[name] = rest.isEmpty ? value : (members[name] ?? .object([:])).setting(rest, to: value)
        return .object(members)
    }
}
