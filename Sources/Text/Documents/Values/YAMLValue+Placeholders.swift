internal import Wording

extension YAMLValue {
    /// This value with values in place of `${name}`.
    ///
    /// A text that is one placeholder becomes the value, whatever its form; a placeholder inside a text becomes text.
    /// `$${` stands for `${`. Keys of mappings stay as they are; a name without a value throws.
    package func replacingPlaceholders(with values: [String: YAMLValue]) throws(SourceError) -> YAMLValue {
        switch content {
        case .scalar(let text, _):
            guard text.contains(Self.opening) else { return self }
            if let name = Self.onlyPlaceholder(of: text) {
                return filledIn(with: try value(of: name, in: values))
            }
            return YAMLValue(.scalar(try filled(text, with: values), isQuoted: true), at: self)
        case .list(let items):
            var filled: [YAMLValue] = []
            for item in items { filled.append(try item.replacingPlaceholders(with: values)) }
            return YAMLValue(.list(filled), at: self)
        case .map(let entries):
            var filled: [Entry] = []
            for entry in entries {
                filled.append((entry.key, entry.source, try entry.value.replacingPlaceholders(with: values)))
            }
            return YAMLValue(.map(filled), at: self)
        }
    }

    /// Whether a text in the value has a placeholder of a parameter: its name, or one of its further entries.
    package func mentions(_ parameter: String) -> Bool {
        switch content {
        case .scalar(let text, _): Self.text(text, mentions: parameter)
        case .list(let items): items.contains { $0.mentions(parameter) }
        case .map(let entries): entries.contains { $0.value.mentions(parameter) }
        }
    }

    /// Whether a text has a placeholder of a parameter.
    package static func text(_ text: String, mentions parameter: String) -> Bool {
        ["}", "."].contains { text.contains(opening + parameter + $0) }
    }

    private static let opening = "${"

    /// The name of the placeholder that is the whole text; nil for other text.
    private static func onlyPlaceholder(of text: String) -> Substring? {
        guard text.hasPrefix(opening), text.hasSuffix("}") else { return nil }
        let name = text.dropFirst(opening.count).dropLast()
        return name.contains("}") ? nil : name
    }

    private func filled(_ text: String, with values: [String: YAMLValue]) throws(SourceError) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: Self.opening) {
            let before = rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard !before.hasSuffix("$") else {
                result += before.dropLast() + Self.opening
                continue
            }
            guard let end = rest.firstIndex(of: "}") else { throw error("\(Self.opening) has no }; add it") }
            let name = rest[..<end]
            guard case .scalar(let text, _) = try value(of: name, in: values).content else {
                throw error("the value of \(name) is not text; write ${\(name)} alone, or give it text")
            }
            result += before + text
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private func value(of name: Substring, in values: [String: YAMLValue]) throws(SourceError) -> YAMLValue {
        if let value = values[String(name)] { return value }
        let names = values.keys.sorted()
        throw error(
            "there is no parameter \"\(name)\""
                + NearestNames.question(
                    String(name), among: names,
                    orElse: names.isEmpty
                        ? "declare it under matrix or parameters" : "choose one of \(names.joined(separator: ", "))"))
    }
}
