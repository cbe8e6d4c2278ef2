extension JSONValue {
    /// The JSON value that a YAML value stands for: quoted scalars are text, others may be numbers, flags or null.
    package init(_ value: YAMLValue) {
        switch value.content {
        case .map(let entries):
            self = .object(Dictionary(entries.map { ($0.key, JSONValue($0.value)) }) { first, _ in first })
        case .list(let items): self = .array(items.map { JSONValue($0) })
        case .scalar(let text, let isQuoted): self = isQuoted ? .text(text) : Self.plain(text)
        }
    }

    private static func plain(_ text: String) -> JSONValue {
        if ["", "~", "null"].contains(text) { return .null }
        return Bool(text).map(JSONValue.bool) ?? Int(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number)
            ?? .text(text)
    }
}
