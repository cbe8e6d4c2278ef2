internal import Wording

/// A value in a document, YAML or JSON, with its place for errors.
///
/// A text in JSON is a quoted scalar; numbers, `true`, `false` and `null` are plain ones.
package struct YAMLValue: Sendable {
    /// The place of its first character.
    package let source: SourcePlace
    let place: YAMLPath
    package let content: Content
    /// Whether it is the value of a parameter, in place of a placeholder.
    private var isParameter = false

    package var file: String { source.file }
    package var line: Int { source.line }

    /// An entry of a mapping, with the place of its key.
    package typealias Entry = (key: String, source: SourcePlace, value: YAMLValue)

    package indirect enum Content: Sendable {
        case scalar(String, isQuoted: Bool)
        case list([YAMLValue])
        case map([Entry])
    }

    package init(_ content: Content, at place: YAMLValue) {
        self.init(content, source: place.source, place: place.place)
    }

    package init(_ content: Content, source: SourcePlace, place: YAMLPath) {
        self.content = content
        self.source = source
        self.place = place
    }

    /// The keys that lead to the value, such as `sensor.modality`.
    package var path: String { place.text }

    package func error(_ message: String) -> SourceError {
        source.error(path.isEmpty ? message : "\(path): \(message)")
    }

    private var kind: String {
        switch content {
        case .scalar(let text, _): text.isEmpty ? "nothing" : "\"\(Self.excerpt(text))\""
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    /// The longest text that an error repeats.
    private static let longestExcerpt = 60

    /// The beginning of a text, so that an error does not repeat a whole file of another kind.
    private static func excerpt(_ text: String) -> String {
        let line = text.prefix { !$0.isNewline }.prefix(longestExcerpt)
        return line.count == text.count ? text : line + "…"
    }

    package var isEmpty: Bool {
        if case .scalar(let text, false) = content { text.isEmpty || text == "~" || text == "null" } else { false }
    }

    /// Whether it is written as a list or a mapping without content.
    ///
    /// The empty value of a parameter stands for a run without the key's effect.
    package var isEmptyCollection: Bool {
        guard !isParameter else { return false }
        return switch content {
        case .scalar: false
        case .list(let items): items.isEmpty
        case .map(let entries): entries.isEmpty
        }
    }

    /// Refuses a list and a mapping that say nothing.
    package func checkContent() throws(SourceError) {
        guard isEmptyCollection else { return }
        throw error(
            isList
                ? "the list is empty; give it an item, or remove it"
                : "the mapping is empty; give it a key, or remove it")
    }

    /// The same place, with the value of a parameter.
    func filledIn(with value: YAMLValue) -> YAMLValue {
        var filled = YAMLValue(value.content, at: self)
        filled.isParameter = true
        return filled
    }

    package var isMapping: Bool { if case .map = content { true } else { false } }

    package var isList: Bool { if case .list = content { true } else { false } }

    /// The entries of a mapping, in order.
    package func entries() throws(SourceError) -> [(key: String, value: YAMLValue)] {
        guard case .map(let entries) = content else { throw error("expected a mapping, found \(kind)") }
        return entries.map { ($0.key, $0.value) }
    }

    /// A mapping with only these keys.
    package func fields(_ allowed: Set<String>) throws(SourceError) -> YAMLFields {
        let fields = try fields()
        try checkKeys(allowed)
        return fields
    }

    /// The values of a mapping with any keys.
    package func fields() throws(SourceError) -> YAMLFields {
        guard case .map(let entries) = content else { throw error("expected a mapping, found \(kind)") }
        return YAMLFields(owner: self, values: Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first })
    }

    /// Refuses the keys of a mapping that are not allowed.
    package func checkKeys(_ allowed: Set<String>) throws(SourceError) {
        guard case .map(let entries) = content else { return }
        let unknown = entries.filter { !allowed.contains($0.key) }.map { entry in
            entry.source.error(
                "unknown key \(entry.key)"
                    + (path.isEmpty ? "" : " in \(path)")
                    + "; expected one of \(allowed.sorted().joined(separator: ", "))"
                    + NearestNames.question(entry.key, among: allowed.sorted()))
        }
        if let error = SourceError.joining(unknown) { throw error }
    }

    package func items() throws(SourceError) -> [YAMLValue] {
        guard case .list(let items) = content else { throw error("expected a list, found \(kind)") }
        return items
    }

    /// The items of a list, or a single value in place of a list.
    package func itemsOrSelf() -> [YAMLValue] {
        if case .list(let items) = content { items } else { [self] }
    }

    package func string() throws(SourceError) -> String {
        guard case .scalar(let text, _) = content, !isEmpty else { throw error("expected text, found \(kind)") }
        return text
    }

    /// Text of one line that is not empty and has no control characters.
    package func singleLine() throws(SourceError) -> String {
        let text = try string()
        guard !text.isEmpty else { throw error("expected text, found nothing") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0 == "\u{2028}" })
        else { throw error("expected one line without control characters") }
        return text
    }

    package func strings() throws(SourceError) -> [String] {
        var texts: [String] = []
        for item in try items() { texts.append(try item.string()) }
        return texts
    }

    package func bool() throws(SourceError) -> Bool {
        guard case .scalar(let text, false) = content, let value = Bool(text) else {
            throw error("expected true or false, found \(kind)")
        }
        return value
    }

    /// A whole number in a range, in decimal or, after `0x`, in hexadecimal digits.
    package func int(in range: ClosedRange<Int> = 0...Int(Int32.max)) throws(SourceError) -> Int {
        guard case .scalar(let text, false) = content, let value = Self.number(text) else {
            throw error("expected a whole number, found \(kind)")
        }
        guard range.contains(value) else {
            throw error("expected \(range.lowerBound) to \(range.upperBound), found \(text)")
        }
        return value
    }

    static func number(_ text: String) -> Int? {
        guard text.hasPrefix("0x") else { return Int(text) }
        let digits = text.dropFirst(2)
        // Int accepts a sign after the prefix.
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        return Int(digits, radix: 16)
    }

    /// A span of time such as `30 s`, `500 ms`, `10 min`, `48 h`, `3 d`.
    package func duration() throws(SourceError) -> Duration {
        let text = try string()
        do {
            return try Duration(span: text)
        } catch {
            throw self.error(error == .form ? "\(error), found \(kind)" : "\(error)")
        }
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type
    ) throws(SourceError) -> Choice where Choice.RawValue == String {
        let text = try string()
        guard let value = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue)
            throw error(
                "expected one of \(names.joined(separator: ", ")), found \(kind)"
                    + NearestNames.question(text, among: names))
        }
        return value
    }
}

/// The entries of a mapping with checked keys.
package struct YAMLFields: Sendable {
    /// The mapping itself, for errors about it as a whole.
    package let owner: YAMLValue
    fileprivate let values: [String: YAMLValue]

    fileprivate init(owner: YAMLValue, values: [String: YAMLValue]) {
        self.owner = owner
        self.values = values
    }

    /// The value for a key; nil for a missing or empty one.
    package subscript(key: String) -> YAMLValue? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    package func required(_ key: String) throws(SourceError) -> YAMLValue {
        guard let value = self[key] else { throw owner.error("\(key) is missing") }
        return value
    }
}
