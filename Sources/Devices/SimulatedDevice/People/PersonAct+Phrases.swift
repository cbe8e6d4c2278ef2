extension PersonAct {
    /// The most often that a phrase says an act is done.
    package static let mostRepetitions = 100

    /// Reads a word, or a word and how often it is done: `no-match x 5` saves writing it five times.
    ///
    /// - Returns: nil for anything else.
    package static func acts(phrase: String) -> [PersonAct]? {
        let parts = phrase.split(separator: " ")
        let count = parts.count == 3 && parts[1] == "x" ? Int(parts[2]) : parts.count == 1 ? 1 : nil
        guard let count, (1...mostRepetitions).contains(count), let act = PersonAct(word: String(parts[0])) else {
            return nil
        }
        return Array(repeating: act, count: count)
    }

    /// Reads phrases as a command line has them, which may have taken one apart: `match no-match x 3`.
    ///
    /// - Returns: nil when one of them is no phrase.
    package static func acts(phrases: [String]) -> [PersonAct]? {
        var words = phrases.flatMap { $0.split(separator: " ").map(String.init) }[...]
        var acts: [PersonAct] = []
        while let word = words.popFirst() {
            var phrase = word
            if words.first == "x", let count = words.dropFirst().first {
                phrase += " x \(count)"
                words = words.dropFirst(2)
            }
            guard let told = self.acts(phrase: phrase) else { return nil }
            acts += told
        }
        return acts
    }
}
