/// The texts that a scenario keeps from answers, by their names.
struct KeptTexts: Sendable {
    private var texts: [String: String] = [:]

    mutating func keep(_ new: [String: String]) { texts.merge(new) { _, new in new } }

    /// A text in which each name in braces is replaced by the text kept under it.
    ///
    /// - Throws: ``PlaybackError`` for a name without a text.
    func filled(_ text: String) throws(PlaybackError) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: start)..<end])
            guard let value = texts[name] else {
                throw PlaybackError("no earlier request keeps \"\(name)\"; name it in the request's keep")
            }
            result += rest[..<start] + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
