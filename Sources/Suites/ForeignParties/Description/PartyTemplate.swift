internal import Documents

/// A text or a JSON value of a request in which names in braces stand for values.
package struct PartyTemplate: Sendable {
    /// A name in braces, and its place.
    struct Mention: Sendable {
        let name: String
        let source: SourcePlace
    }

    let value: JSONValue
    let mentions: [Mention]

    private init(_ value: YAMLValue) {
        self.value = JSONValue(value)
        mentions = Self.mentions(in: value)
    }

    init(_ text: String) {
        value = .text(text)
        mentions = []
    }

    static let json = Form<PartyTemplate>(
        .any, words: "JSON", hint: "A name in braces, such as \"{account}\", stands for a value."
    ) { PartyTemplate($0) }

    static let text = Form<PartyTemplate>(.scalar, words: "text") { value in
        _ = try value.string()
        return PartyTemplate(value)
    }

    static let path = Form<PartyTemplate>(.pattern("/.*"), words: "a path that begins with /") { value in
        let path = try value.string()
        guard path.hasPrefix("/"), !path.contains(where: \.isWhitespace) else {
            throw value.error("expected a path that begins with /, found \"\(path)\"")
        }
        return PartyTemplate(value)
    }

    static let fields = Form<PartyTemplate>(.map(.scalar), words: "mapping of fields to: text") { value in
        for (_, field) in try value.entries() { _ = try field.string() }
        return PartyTemplate(value)
    }

    /// The value with values in place of the names; nil for a text that is only a name without a value.
    ///
    /// A text that is one name becomes the value, whatever its form. A member or an item without a value is left out.
    func filled(_ values: [String: JSONValue]) -> JSONValue? { Self.fill(value, values) }

    /// The template as text; a name without a value becomes nothing.
    func text(_ values: [String: JSONValue]) -> String { filled(values).map(Self.words) ?? "" }

    /// A value as text: text as it is, everything else as JSON.
    static func words(of value: JSONValue) -> String {
        value.text ?? (try? value.bytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func fill(_ value: JSONValue, _ values: [String: JSONValue]) -> JSONValue? {
        switch value {
        case .text(let text):
            let parts = parts(of: text)
            if parts.count == 1, case .name(let name) = parts[0] { return values[name] }
            return .text(
                parts.map { part in
                    switch part {
                    case .text(let text): text
                    case .name(let name): values[name].map(Self.words) ?? ""
                    }
                }.joined())
        case .array(let items): return .array(items.compactMap { fill($0, values) })
        case .object(let members): return .object(members.compactMapValues { fill($0, values) })
        case .null, .bool, .integer, .number: return value
        }
    }

    private enum Part {
        case text(String)
        case name(String)
    }

    /// The parts of a text; braces around anything but a name are text.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            let after = rest[rest.index(after: start)...]
            let name = after.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            guard !name.isEmpty, name.endIndex < after.endIndex, after[name.endIndex] == "}" else {
                plain += rest[...start]
                rest = after
                continue
            }
            plain += rest[..<start]
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.name(String(name)))
            rest = after[after.index(after: name.endIndex)...]
        }
        plain += rest
        if !plain.isEmpty || parts.isEmpty { parts.append(.text(plain)) }
        return parts
    }

    private static func mentions(in value: YAMLValue) -> [Mention] {
        switch value.content {
        case .scalar(let text, _):
            parts(of: text).compactMap { part in
                if case .name(let name) = part { Mention(name: name, source: value.source) } else { nil }
            }
        case .list(let items): items.flatMap(mentions)
        case .map(let entries): entries.flatMap { mentions(in: $0.value) }
        }
    }
}
