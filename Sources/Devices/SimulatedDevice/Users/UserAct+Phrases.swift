internal import Biometrics
internal import Wording

extension UserAct {
    package static let maximumRepetitions = 100

    /// A regular expression of the phrases that ``acts(phrase:)`` reads, for schemas; accounts up to 999.
    package static let phrasePattern: String = {
        let sensors = BiometricModality.allCases.map(\.rawValue).joined(separator: "|")
        let words = vocabulary.map { entry in
            if case .gate(let act) = entry.act, act.sample != nil {
                "\(entry.word)(?::(?:\(sensors)))?"
            } else {
                entry.word
            }
        }
        let counts = "[1-9][0-9]?|\(maximumRepetitions)"
        return "(?:\(words.joined(separator: "|"))|choose:[1-9][0-9]{0,2})(?: x (?:\(counts)))?"
    }()

    /// Reads a word, or a word with its number of repetitions, such as `no-match x 5`; nil for any other text.
    package static func acts(phrase: String) -> [UserAct]? {
        let parts = phrase.split(separator: " ")
        let count = parts.count == 3 && parts[1] == "x" ? Int(parts[2]) : parts.count == 1 ? 1 : nil
        guard let count, (1...maximumRepetitions).contains(count), let act = UserAct(word: String(parts[0])) else {
            return nil
        }
        return Array(repeating: act, count: count)
    }

    /// The problem of a text that ``acts(phrase:)`` does not read: the expected form, and the nearest words.
    package static func problem(ofPhrase phrase: String) -> String {
        let expected = "expected an act, or \"act x 5\"; found \"\(phrase)\""
        let word = phrase.prefix { $0 != " " }
        guard UserAct(word: String(word)) == nil else {
            return "\(expected), with 1 to \(maximumRepetitions) repetitions"
        }
        if word == "choose" || word.hasPrefix("choose:") {
            return "\"\(word)\" names no account; write choose:1 for the newest one, choose:2 for the next"
        }
        let nearest = NearestNames.question(String(word), among: vocabulary.map(\.word))
        return expected + (nearest.isEmpty ? "; choose one of \(words)" : nearest)
    }

    /// Reads phrases from command-line arguments, which may split one: `match no-match x 3`; nil if one cannot be read.
    package static func acts(phrases: [String]) -> [UserAct]? {
        var words = phrases.flatMap { $0.split(separator: " ").map(String.init) }[...]
        var acts: [UserAct] = []
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
