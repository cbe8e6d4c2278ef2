/// Suggests existing names for a name that does not exist.
package enum NearestNames {
    /// The longest name that is compared: the cost of a comparison grows with the name, which may be a whole file.
    private static let longestName = 200

    /// The existing names most similar to a name, nearest first; empty when none is similar.
    ///
    /// Without a similar name, those that begin alike are taken: `iphone-15` finds `iphone-face-id`.
    package static func to(_ name: String, among names: [String], limit: Int = 5) -> [String] {
        let typed = name.lowercased()
        guard !typed.isEmpty, typed.utf8.count <= longestName else { return [] }
        let wanted = Array(typed)
        let limit = (names: limit, distance: max(1, wanted.count / 3))
        var seen: Set<String> = []
        let measured = names.filter { seen.insert($0).inserted }.map { candidate in
            let text = candidate.lowercased()
            // A name that contains the typed text is nearer than any misspelling; the text may also stand for a part.
            let parts = [text] + text.split(separator: ".").map(String.init)
            // Texts whose lengths differ by more than the limit are further apart than the limit.
            let close = parts.filter { abs($0.count - wanted.count) <= limit.distance }
            let nearest = close.map { distance(wanted, Array($0)) }.min() ?? .max
            return (name: candidate, distance: text == typed ? -1 : text.contains(typed) ? 0 : nearest)
        }
        let near = measured.filter { $0.distance <= limit.distance }
        let sorted = near.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
        guard sorted.isEmpty else { return sorted.prefix(limit.names).map(\.element.name) }
        let lengths = names.map { $0.lowercased().commonPrefix(with: typed) }
        let longest = lengths.max() ?? 0
        guard longest >= max(3, wanted.count / 2) else { return [] }
        return zip(names, lengths).filter { $1 == longest }.prefix(limit.names).map(\.0)
    }

    /// The end of an error about an unknown name: `; did you mean NAME?`, or the advice without a similar name.
    package static func question(_ name: String, among names: [String], orElse advice: String? = nil) -> String {
        let nearest = to(name, among: names)
        return nearest.isEmpty
            ? advice.map { "; " + $0 } ?? "" : "; did you mean \(nearest.joined(separator: ", "))?"
    }

    /// The edit distance: the number of characters to insert, delete or replace, and of neighbours to exchange.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var before: [Int] = []
        var row = Array(0...second.count)
        for (index, character) in first.enumerated() {
            var next = [index + 1]
            for (place, other) in second.enumerated() {
                var least = min(next[place] + 1, row[place + 1] + 1, row[place] + (character == other ? 0 : 1))
                if index > 0, place > 0, character == second[place - 1], other == first[index - 1] {
                    least = min(least, before[place - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[second.count]
    }
}

extension String {
    /// The number of characters that two texts begin with in common.
    fileprivate func commonPrefix(with other: String) -> Int { zip(self, other).prefix { $0 == $1 }.count }
}
