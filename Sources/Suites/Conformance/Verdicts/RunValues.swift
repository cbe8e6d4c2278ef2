/// The values in a case's evidence that another run does not have: names of accounts, challenges, IDs.
struct RunValues: Sendable {
    /// Shorter texts occur by chance.
    fileprivate static let shortest = 8

    private var nouns: [String: String] = [:]
    /// The name of each value that a text had, with its number among those of its noun.
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]

    /// Notes a value; one that is known keeps its noun.
    mutating func add(_ value: String, _ noun: String) {
        guard value.count >= Self.shortest, nouns[value] == nil else { return }
        nouns[value] = noun
    }

    /// The text with a name such as `{challenge 1}` in place of each value, numbered in the order of appearance.
    mutating func masked(_ text: String) -> String {
        guard !text.isEmpty else { return text }
        // A longer value may contain a shorter one.
        let values = nouns.keys.filter { text.contains($0) || text.beginning(of: $0) != nil }
            .sorted { ($1.count, $0) < ($0.count, $1) }
        var places: [(range: Range<String.Index>, value: String)] = []
        for value in values {
            for range in text.ranges(of: value) + [text.beginning(of: value)].compactMap(\.self)
            where !places.contains(where: { $0.range.overlaps(range) }) {
                places.append((range, value))
            }
        }
        var result = ""
        var index = text.startIndex
        for (range, value) in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += text[index..<range.lowerBound] + name(of: value)
            index = range.upperBound
        }
        return result + text[index...]
    }

    private mutating func name(of value: String) -> String {
        if let name = names[value] { return name }
        let noun = nouns[value] ?? "value"
        counts[noun, default: 0] += 1
        let name = "{\(noun) \(counts[noun] ?? 1)}"
        names[value] = name
        return name
    }
}

extension String {
    /// The place of a value's beginning at the end of a text, which was cut off there; nil without one.
    fileprivate func beginning(of value: String) -> Range<Index>? {
        for length in stride(from: value.count - 1, through: RunValues.shortest, by: -1)
        where hasSuffix(value.prefix(length)) {
            return index(endIndex, offsetBy: -length)..<endIndex
        }
        return nil
    }
}
