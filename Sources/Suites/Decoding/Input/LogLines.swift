/// The lines of a log without the marks that journals, viewers and mails put around them.
///
/// Programs write a time, a host, a line's number or `> ` before each line, and `<br>` after it. A dump's rows and the lines of
/// libfido2 begin after these marks.
enum LogLines {
    /// The lines, in their order and number.
    static func plain(_ text: String) -> [Substring] {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(withoutTags)
        return haveLibFIDO2(text) ? ofLibFIDO2(lines) : ofDump(lines) ?? lines
    }

    // MARK: libfido2

    /// Whether a text has lines of libfido2's debug output.
    static func haveLibFIDO2(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            anchor(line).map { LibFIDO2Line(line[$0...])?.isSure == true } ?? false
        }
    }

    private static func ofLibFIDO2(_ lines: [Substring]) -> [Substring] {
        var words = 0
        return lines.map { line in
            guard let start = anchor(line) else { return dropping(words, line) }
            words = line[..<start].split(whereSeparator: \.isWhitespace).count
            return line[start...]
        }
    }

    /// The place where a line of libfido2 begins in a line; nil for other lines, and for damaged ones.
    private static func anchor(_ line: Substring) -> Substring.Index? {
        let words = line.split(whereSeparator: \.isWhitespace)
        for (word, next) in zip(words, words.dropFirst()) {
            let isOffset =
                word.count > 4 && word.last == ":" && word.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
            if LibFIDO2Line.begins(word) || (isOffset && next.count <= 3 && next.contains(where: HexDamage.isDigit)) {
                return word.startIndex
            }
        }
        return nil
    }

    // MARK: Dumps

    /// The rows of a dump, each behind the same number of words; nil for other texts.
    private static func ofDump(_ lines: [Substring]) -> [Substring]? {
        let filled = lines.filter { !$0.trimmed.isEmpty }
        guard let first = filled.first, !filled.contains(where: isRow) else { return nil }
        for count in 1...longestMark where filled.allSatisfy({ isRow(dropping(count, $0)) }) {
            guard DumpRow(dropping(count, first))?.offset?.allSatisfy({ $0 == "0" }) ?? false else { continue }
            return lines.map { dropping(count, $0) }
        }
        return nil
    }

    /// Whether a line is a row behind its offset, damaged or not.
    private static func isRow(_ line: Substring) -> Bool {
        switch DumpRow.read(line, isExpected: true) {
        case .row(let row), .damaged(_, let row): row.offset != nil
        case .other: false
        }
    }

    /// The most words that stand before a row.
    private static let longestMark = 6

    /// A line without its first words; the whole line when it has no more than these.
    private static func dropping(_ count: Int, _ line: Substring) -> Substring {
        guard count > 0 else { return line }
        let words = line.split(maxSplits: count, whereSeparator: \.isWhitespace)
        return words.count > count ? words[count] : line
    }

    // MARK: HTML

    private static let tags = ["<br>", "<br/>", "<br />", "</p>", "</div>", "</li>", "</pre>", "</code>"]
    private static let openTags = ["<p>", "<div>", "<li>", "<pre>", "<code>"]

    /// A line without the tags around it.
    private static func withoutTags(_ line: Substring) -> Substring {
        guard line.contains("<") else { return line }
        var line = line
        while let tag = tags.first(where: { line.trimmed.lowercased().hasSuffix($0) }) {
            line = line.trimmed.dropLast(tag.count)
        }
        while let tag = openTags.first(where: { line.trimmed.lowercased().hasPrefix($0) }) {
            line = line.trimmed.dropFirst(tag.count)
        }
        return line
    }
}
