/// Text broken into lines at its spaces, never inside a word.
package enum Paragraph {
    /// The lines of a text; line breaks in it stay.
    ///
    /// - Parameters:
    ///   - width: The most columns of a line; nil leaves the text as it is. A longer word gets a line of its own.
    ///   - hanging: The indent of every line but the first; less for a word that does not fit there. What stands left
    ///     of it on the first line is a label.
    package static func lines(_ text: some StringProtocol, width: Int?, hanging: Int = 0) -> [String] {
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let width else { return paragraphs.map { String($0) } }
        let hanging = min(hanging, width / 2)
        return paragraphs.flatMap { paragraph -> [String] in
            guard paragraph.displayWidth > width else { return [String(paragraph)] }
            var lines: [String] = []
            var line = ""
            var column = 0
            for word in words(paragraph) {
                let start = column + word.gap
                if start + word.width > width, start > hanging, column > 0 {
                    lines.append(line)
                    let indent = min(hanging, max(0, width - word.width))
                    line = String(repeating: " ", count: indent) + word.text
                    column = indent + word.width
                } else {
                    line += String(repeating: " ", count: word.gap) + word.text
                    column = start + word.width
                }
            }
            return lines + [line]
        }
    }

    /// The words of a line, each with the number of spaces before it.
    static func words(_ text: some StringProtocol) -> [(gap: Int, text: String, width: Int)] {
        var words: [(gap: Int, text: String, width: Int)] = []
        var gap = 0
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard !part.isEmpty else {
                gap += 1
                continue
            }
            words.append((gap, String(part), part.displayWidth))
            gap = 1
        }
        return words
    }
}
