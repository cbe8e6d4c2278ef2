internal import Documents

/// A text with gaps, by which a client's user begins a task.
package struct ContextPrompt: Sendable {
    package struct Argument: Sendable {
        package let name: String
        package let meaning: String
        package let isRequired: Bool

        package init(_ name: String, _ meaning: String, isRequired: Bool) {
            (self.name, self.meaning, self.isRequired) = (name, meaning, isRequired)
        }
    }

    package let name: String
    package let title: String
    package let summary: String
    package let arguments: [Argument]
    /// The text, from the arguments by their names.
    package let text: @Sendable ([String: String]) -> String

    package init(
        _ name: String, title: String, _ summary: String, arguments: [Argument],
        text: @escaping @Sendable ([String: String]) -> String
    ) {
        (self.name, self.title, self.summary) = (name, title, summary)
        (self.arguments, self.text) = (arguments, text)
    }

    var json: JSONValue {
        [
            "name": .text(name), "title": .text(title), "description": .text(summary),
            "arguments": .array(
                arguments.map {
                    ["name": .text($0.name), "description": .text($0.meaning), "required": .bool($0.isRequired)]
                }),
        ]
    }

    /// The arguments as a client gives them.
    func filled(_ values: [String: JSONValue]) throws(ContextError) -> String {
        var texts: [String: String] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard arguments.contains(where: { $0.name == name }) else {
                throw .invalid("arguments.\(name)", "is not an argument of \(self.name)")
            }
            guard let text = value.text else { throw .invalid("arguments.\(name)", "must be text, not \(value.noun)") }
            texts[name] = text
        }
        if let missing = arguments.first(where: { $0.isRequired && texts[$0.name] == nil }) {
            throw .invalid("arguments.\(missing.name)", "is missing")
        }
        return text(texts)
    }
}
