/// The parts of an HTML page that a description names.
enum PageText {
    /// The text of the element with an ID; nil for none.
    static func element(_ id: String, of page: String) -> String? {
        for tag in tags(of: page) where tag.attributes["id"] == id {
            let rest = page[tag.end...]
            return rest.firstRange(of: "</\(tag.name)").map { String(rest[..<$0.lowerBound]) }
        }
        return nil
    }

    /// The value of the form's field with a name; nil for none.
    static func field(_ name: String, of page: String) -> String? {
        tags(of: page).first { $0.name == "input" && $0.attributes["name"] == name }?.attributes["value"]
    }

    private struct Tag {
        let name: String
        let attributes: [String: String]
        /// The place behind it.
        let end: String.Index
    }

    private static func tags(of page: String) -> [Tag] {
        var tags: [Tag] = []
        var rest = page[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let after = page.index(after: end)
            if let tag = tag(page[page.index(after: start)..<end], end: after) { tags.append(tag) }
            rest = page[after...]
        }
        return tags
    }

    private static func tag(_ text: Substring, end: String.Index) -> Tag? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "-" }.lowercased()
        guard !name.isEmpty else { return nil }
        var attributes: [String: String] = [:]
        var rest = text.dropFirst(name.count)
        while let start = rest.firstIndex(where: { !$0.isWhitespace && $0 != "/" }) {
            rest = rest[start...]
            let key = rest.prefix { !$0.isWhitespace && $0 != "=" }
            rest = rest[key.endIndex...].drop(while: \.isWhitespace)
            guard rest.first == "=" else {
                attributes[key.lowercased()] = ""
                continue
            }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            let value = rest.prefix { quote == nil ? !$0.isWhitespace : $0 != quote }
            attributes[key.lowercased()] = plain(value)
            rest = rest[value.endIndex...].dropFirst(quote == nil ? 0 : 1)
        }
        return Tag(name: name, attributes: attributes, end: end)
    }

    private static func plain(_ text: Substring) -> String {
        [("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
