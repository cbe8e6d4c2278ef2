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
}
