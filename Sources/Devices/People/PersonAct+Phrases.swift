extension PersonAct {
    /// The most often that a phrase says an act is done.
    public static let mostRepetitions = 100

    /// Reads a word, or a word and how often it is done: `no-match x 5` saves writing it five times.
    ///
    /// - Returns: nil for anything else.
    public static func acts(phrase: String) -> [PersonAct]? {
        let parts = phrase.split(separator: " ")
        let count = parts.count == 3 && parts[1] == "x" ? Int(parts[2]) : parts.count == 1 ? 1 : nil
        guard let count, (1...mostRepetitions).contains(count), let act = PersonAct(word: String(parts[0])) else {
            return nil
        }
        return Array(repeating: act, count: count)
    }
}
