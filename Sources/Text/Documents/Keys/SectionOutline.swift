/// The declared keys of a section without their model.
package struct SectionOutline: Sendable {
    package struct Key: Sendable {
        package let name: String
        /// One sentence.
        package let meaning: String
        /// The form of the value in a few words of Markdown.
        package let words: String
        package let presence: KeyPresence
        /// The keys of its mapping, or of its list's mappings.
        package let section: SectionOutline?
    }

    package let keys: [Key]
    /// Whether the document holds a list of such mappings, which replaces an inherited list as a whole.
    package var isList = false

    /// The keys that a document needs unless it extends another, as JSON Schema; nil for none.
    package var requirement: JSONValue? {
        guard !isList else { return nil }
        let names = keys.filter { $0.presence == .requiredOnceMerged }.map { JSONValue.text($0.name) }
        let nested = keys.compactMap { key in key.section?.requirement.map { (key.name, $0) } }
        var json: [String: JSONValue] = [:]
        if !names.isEmpty { json["required"] = .array(names) }
        if !nested.isEmpty { json["properties"] = .object(Dictionary(uniqueKeysWithValues: nested)) }
        return json.isEmpty ? nil : .object(json)
    }

    /// The section at a path such as `authenticator.management`; nil for a path without one.
    package func section(at path: String) -> SectionOutline? {
        path.split(separator: ".").reduce(self as SectionOutline?) { section, name in
            section?.keys.first { $0.name == name }?.section
        }
    }

    /// The keys as a Markdown table, those of nested mappings below their own key.
    ///
    /// - Parameter separate: the names of keys whose mappings have tables of their own.
    package func markdown(separate: Set<String> = []) -> String {
        (["| key | value | meaning |", "|---|---|---|"] + rows("", separate)).joined(separator: "\n")
    }

    private func rows(_ prefix: String, _ separate: Set<String>) -> [String] {
        keys.flatMap { key in
            let name = prefix + key.name
            let row = "| `\(name)` | \(key.words)\(key.presence == .optional ? "" : "; required") | \(key.meaning) |"
            guard let section = key.section, !separate.contains(key.name) else { return [row] }
            return [row] + section.rows(section.isList ? "\(name)[]." : "\(name).", separate)
        }
    }
}
