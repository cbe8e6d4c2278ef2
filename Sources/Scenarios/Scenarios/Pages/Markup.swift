/// The elements of an HTML page in their order, for checks of pages that the services make themselves.
///
/// It reads the parts that those pages use: tags, attributes, text, comments and scripts. Entities stay as they are.
struct Markup {
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The text inside it, that of its descendants included.
        fileprivate(set) var text = ""
        /// The places of the elements around it, the outermost first.
        let ancestors: [Int]

        subscript(attribute: String) -> String? { attributes[attribute] }
    }

    private(set) var elements: [Element] = []

    /// Elements without content (HTML §13.1.2).
    private static let void: Set = ["meta", "link", "input", "br", "hr", "img", "source", "wbr", "base", "col"]
    /// Elements whose content is not markup.
    private static let raw: Set = ["script", "style", "title", "textarea"]

    init(_ html: String) {
        var rest = html[...]
        var open: [Int] = []
        while let start = rest.firstIndex(of: "<") {
            note(rest[..<start], in: open)
            rest = rest[start...]
            if rest.hasPrefix("<!--"), let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
                continue
            }
            guard let end = rest.firstIndex(of: ">") else { return }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            guard let first = tag.first, first != "!" else { continue }
            if first == "/" {
                let name = tag.dropFirst().lowercased()
                if let place = open.lastIndex(where: { elements[$0].name == name }) { open.removeSubrange(place...) }
                continue
            }
            let element = Self.element(tag, in: open)
            elements.append(element)
            guard !Self.void.contains(element.name) else { continue }
            guard Self.raw.contains(element.name), let close = rest.firstRange(of: "</\(element.name)") else {
                open.append(elements.count - 1)
                continue
            }
            elements[elements.count - 1].text = String(rest[..<close.lowerBound])
            rest = rest[close.lowerBound...].drop { $0 != ">" }.dropFirst()
        }
        note(rest, in: open)
    }

    func named(_ names: String...) -> [Element] { elements.filter { names.contains($0.name) } }

    func isInside(_ element: Element, _ condition: (Element) -> Bool) -> Bool {
        element.ancestors.contains { condition(elements[$0]) }
    }

    private mutating func note(_ text: Substring, in open: [Int]) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        for place in open { elements[place].text += text }
    }

    private static func element(_ tag: Substring, in open: [Int]) -> Element {
        var rest = tag.drop { !$0.isWhitespace && $0 != "/" }
        let name = tag.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" }
            let key = rest.prefix { !$0.isWhitespace && $0 != "=" && $0 != "/" }
            guard !key.isEmpty else { break }
            rest = rest.dropFirst(key.count)
            guard rest.first == "=" else {
                attributes[key.lowercased()] = ""
                continue
            }
            rest = rest.dropFirst()
            let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            let value = rest.prefix { character in quote.map { character != $0 } ?? !character.isWhitespace }
            attributes[key.lowercased()] = String(value)
            rest = rest.dropFirst(value.count + (quote == nil ? 0 : 1))
        }
        return Element(name: name, attributes: attributes, ancestors: open)
    }
}
