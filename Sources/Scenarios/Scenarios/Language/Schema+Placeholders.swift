internal import Documents

extension Schema {
    /// The form with a placeholder, such as `${phone}`, in place of any value below it.
    func acceptingPlaceholders() -> Schema {
        switch self {
        case .any, .null, .boolean, .integer, .number, .string, .constant, .values: self
        case .array(let element, let count): .array(element.orPlaceholder(), count: count)
        case .object(let members): .object(members.acceptingPlaceholders())
        case .map(let schema, let atLeast): .map(schema.orPlaceholder(), atLeast: atLeast)
        case .anyOf(let alternatives): .anyOf(alternatives.map { $0.acceptingPlaceholders() })
        case .orNull(let schema): .orNull(schema.acceptingPlaceholders())
        case .named(let name, let schema): .named(name, schema.orPlaceholder())
        case .described(let words, let schema): .described(words, schema.acceptingPlaceholders())
        }
    }

    private static let placeholder = Schema.named("Placeholder", .pattern(#"\$\{[a-z][^}]*\}"#))

    private func orPlaceholder() -> Schema {
        if case .described(let words, let schema) = self { return .described(words, schema.orPlaceholder()) }
        if case .orNull(let schema) = self { return .orNull(schema.orPlaceholder()) }
        let schema = acceptingPlaceholders()
        if schema.acceptsPlaceholder { return schema }
        if case .anyOf(let alternatives) = schema { return .anyOf([Self.placeholder] + alternatives) }
        return .anyOf([Self.placeholder, schema])
    }

    /// Whether the form has a place for a placeholder: it accepts any text, or a named form in it does.
    private var acceptsPlaceholder: Bool {
        switch self {
        case .named: true
        case .anyOf(let alternatives): alternatives.contains(where: \.acceptsPlaceholder)
        default: acceptsAnyText
        }
    }

    private var acceptsAnyText: Bool {
        switch self {
        case .any: true
        case .string(let text): text.pattern == nil && text.choices == nil && text.problem == nil
        case .anyOf(let alternatives): alternatives.contains(where: \.acceptsAnyText)
        case .orNull(let schema), .named(_, let schema), .described(_, let schema): schema.acceptsAnyText
        case .null, .boolean, .integer, .number, .constant, .values, .array, .object, .map: false
        }
    }

    fileprivate static func member(_ member: Member) -> Member {
        Member(name: member.name, schema: member.schema.orPlaceholder(), isRequired: member.isRequired)
    }
}

extension Schema.Members {
    fileprivate func acceptingPlaceholders() -> Schema.Members {
        var members = self
        members.members = self.members.map(Schema.member)
        return members
    }
}
