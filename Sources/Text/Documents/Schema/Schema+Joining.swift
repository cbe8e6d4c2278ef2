extension Schema {
    /// The form with one object in place of alternatives that are objects.
    ///
    /// It takes each value that one of the alternatives takes, and further ones. Clients of models expect an object with
    /// named members at the top.
    package var joined: Schema {
        switch plain {
        case .object(let members): .object(members)
        case .anyOf(let alternatives): Self.joining(alternatives) ?? self
        default: self
        }
    }

    /// The form without its name and its description.
    private var plain: Schema {
        switch self {
        case .named(_, let schema), .described(_, let schema): schema.plain
        default: self
        }
    }

    /// The description; nil for a form without one.
    private var words: String? {
        switch self {
        case .named(_, let schema): schema.words
        case .described(let words, _): words
        default: nil
        }
    }

    /// The members of an alternative's objects, such as `(template, modality?)`, where a question mark follows those that may be
    /// missing; nil for none.
    private var outline: String? {
        guard case .object(let members) = plain else { return nil }
        let names = members.members.flatMap { member -> [String] in
            guard case .object(let inner) = member.schema.plain else { return [] }
            return inner.members.map { $0.name + ($0.isRequired ? "" : "?") }
        }
        return names.isEmpty ? nil : "(\(names.joined(separator: ", ")))"
    }

    /// Nil where an alternative is not an object.
    private static func joining(_ alternatives: [Schema]) -> Schema? {
        var names: [String] = []
        var found: [String: [(of: Schema, member: Member)]] = [:]
        for alternative in alternatives {
            guard case .object(let members) = alternative.joined else { return nil }
            for member in members.members {
                if found[member.name] == nil { names.append(member.name) }
                found[member.name, default: []].append((alternative, member))
            }
        }
        let members = names.map { name in
            let uses = found[name] ?? []
            return Member(
                name: name, schema: member(uses),
                isRequired: uses.count == alternatives.count && uses.allSatisfy(\.member.isRequired))
        }
        return .object(Members(members: members))
    }

    /// The form of a member of several alternatives.
    private static func member(_ uses: [(of: Schema, member: Member)]) -> Schema {
        let schemas = uses.map(\.member.schema)
        let constants = schemas.compactMap { if case .constant(let text) = $0.plain { text } else { nil } }
        if constants.count == schemas.count {
            let meanings = zip(constants, uses).map { text, use in
                let name = [text, use.of.outline].compactMap(\.self).joined(separator: " ")
                return use.of.words.map { "\(name): \($0)" } ?? name
            }
            return .described(meanings.joined(separator: "; "), .choice(constants))
        }
        if schemas.count > 1, let object = joining(schemas) { return object }
        var forms: [JSONValue] = []
        var distinct: [Schema] = []
        for schema in schemas {
            var definitions = Definitions(at: "")
            let form = schema.json(&definitions)
            guard !forms.contains(form) else { continue }
            forms.append(form)
            distinct.append(schema)
        }
        return distinct.count == 1 ? distinct[0] : .anyOf(distinct)
    }
}
