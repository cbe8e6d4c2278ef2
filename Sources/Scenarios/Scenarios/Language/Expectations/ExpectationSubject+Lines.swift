internal import Documents

extension Expectation.Subject {
    /// Checks a value of several words: the words that the language knows must be right.
    func checkLine(_ text: String, _ item: YAMLValue) throws(SourceError) {
        switch values {
        case .counted where text == Self.nothing: break
        case .counted(let names):
            guard let count = text.split(separator: " ").last, Int(count) != nil, !text.countedName.isEmpty else {
                throw item.error(
                    "\"\(text)\" is not a value of \(name); write a name and a number, such as \(names[0]) 1")
            }
            guard names.contains(text.countedName) else { throw unknown(item, text.countedName, names) }
        case .beginning(let texts):
            let isKnown = texts.contains { text == $0 || text.hasPrefix($0 + " ") || text.hasPrefix($0 + ", ") }
            guard text == Self.nothing || isKnown else { throw unknown(item, text, texts) }
        case .ending(let texts):
            let last = text.split(separator: " ").last.map(String.init) ?? text
            guard text == Self.nothing || texts.contains(last) else { throw unknown(item, last, texts) }
        case .text, .part, .partOfError, .missingPart, .whole, .limit, .members, .names, .states: break
        }
    }

    /// The observed values worth showing beside the expected one: of many counts, those above zero and the expected one's;
    /// of the states of several things, those of the thing that the expected one is of; of a member with any value, such as a
    /// token with the port of the run, no more than that there is one.
    func shown(_ seen: [String], besides expected: String) -> [String] {
        if let owner = owner(of: expected) { return seen.filter(owner.states.contains) }
        switch values {
        case .counted: return seen.filter { !$0.hasSuffix(" 0") || $0.countedName == expected.countedName }
        case .members where expected == Self.anything: return seen.isEmpty ? [] : ["a value"]
        default: return seen
        }
    }
}

extension String {
    /// The text before the last word, which is a count.
    fileprivate var countedName: String { split(separator: " ").dropLast().joined(separator: " ") }
}
