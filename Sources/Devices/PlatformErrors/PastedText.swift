/// Text from a log or a page, taken apart for the search: its lines, and the words of its sentences.
struct PastedText {
    let lines: [PastedLine]
    /// The words of all lines without case, punctuation and apostrophes.
    let sentence: [Substring]

    init(_ text: String) {
        // Logs in JSON write a line's end as two characters; web pages write a minus sign as one of their own.
        let text = text.replacing("\\n", with: "\n").replacing(/[−–](?=[0-9])/, with: "-")
        lines = text.split(whereSeparator: \.isNewline).map(PastedLine.init).filter { !$0.words.isEmpty }
        sentence = Self.words(of: text)
    }

    /// The words of a sentence without case, punctuation and apostrophes.
    static func words(of text: String) -> [Substring] {
        text.lowercased().filter { !"'’`".contains($0) }.split { !$0.isLetter && !$0.isNumber }
    }
}

/// A line of pasted text: its words, and the numbers among them.
struct PastedLine {
    struct Word {
        let text: Substring
        let number: PastedNumber?
    }

    let words: [Word]

    init(_ line: Substring) {
        let message = Self.message(of: line)
        let texts = message.split { !($0.isLetter || $0.isNumber || "._-+*".contains($0)) }
            .map { $0.drop { ".+*".contains($0) }.trimmingSuffix(".-*") }.filter { !$0.isEmpty }
        let alone = Set(message.matches(of: /(?:^|[^A-Za-z0-9])[\[(]\s*(0[xX][0-9A-Fa-f]+|-?[0-9]+)\s*[\])]/).map(\.1))
            .union(message.matches(of: /[\[(]\s*(0[xX][0-9A-Fa-f]+|-[0-9]+)\s*[\])]/).map(\.1))
        words = texts.enumerated().map { place, text in
            let isMarked = alone.contains(text) || Self.isMarked(by: texts[..<place])
            return Word(text: text, number: PastedNumber(text, isMarked: isMarked))
        }
    }

    var numbers: [PastedNumber] { words.compactMap(\.number) }

    /// A line without the date, the time and the numbers of process and thread at its beginning.
    private static func message(of line: Substring) -> Substring {
        line.prefixMatch(of: /\s*(?:[0-9]{2,4}-[0-9-]+[ T])?[0-9]{1,2}:[0-9:.,]+(?:Z|[+-][0-9:]+)?(?:\s+[0-9]+)*/)
            .map { line[$0.range.upperBound...] } ?? line
    }

    private static let links: Set<String> = [
        "is", "was", "of", "with", "the", "a", "an", "to", "number", "value", "equals", "no", "by", "and", "int",
    ]
    private static let markers: Set<String> = [
        "err", "rc", "ret", "retval", "hr", "hresult", "result", "return", "returned", "returns", "failed", "failure",
        "fail", "reason", "sw", "raw", "rawvalue", "onauthenticationerror", "got", "internalcode",
    ]

    /// Whether a number after these words is a code: after `code`, `status = `, `resultCode: `, `failed with`.
    private static func isMarked(by words: ArraySlice<Substring>) -> Bool {
        let telling = words.map { $0.lowercased() }.filter { !links.contains($0) }
        // The status of a process is not a code: `exited with code 1`.
        guard let last = telling.last, !telling.suffix(2).contains(where: ["exit", "exited"].contains) else {
            return false
        }
        return markers.contains(last)
            || ["code", "error", "status", "errno", "exception"].contains { last.hasSuffix($0) }
    }
}

/// A number of a log, in every way it can be meant.
struct PastedNumber {
    /// The number, and the same bits as a signed and as an unsigned 32-bit number.
    let values: Set<Int>
    /// The digits as a hexadecimal number, for interfaces whose numbers are often printed without `0x`.
    let bareHexadecimal: Int?
    let isHexadecimal: Bool
    /// Whether words or brackets around it say that it is a code.
    let isMarked: Bool

    /// Whether such a number is almost always a code: -25300, 0x80090016.
    let isDistinctive: Bool

    init?(_ text: Substring, isMarked: Bool) {
        let text = text.lowercased()
        let digits = text.hasPrefix("0x") ? text.dropFirst(2).trimmingSuffix("lu") : text[...]
        isHexadecimal = text.hasPrefix("0x")
        self.isMarked = isMarked
        let isBare = !isHexadecimal && digits.allSatisfy(\.isHexDigit)
        bareHexadecimal = isBare && [2, 4].contains(digits.count) ? Int(digits, radix: 16) : nil
        var found: Set<Int> = []
        let radix = isHexadecimal ? 16 : 10
        if let number = Int(digits, radix: radix) ?? UInt64(digits, radix: radix).map({ Int(truncatingIfNeeded: $0) }) {
            found.insert(number)
        }
        // HRESULTs and their like are often printed without 0x.
        if isBare, digits.count == 8, let first = digits.first, "8f".contains(first),
            let number = Int(digits, radix: 16)
        {
            found.insert(number)
        }
        guard !found.isEmpty else { return nil }
        isDistinctive = found.contains { $0 <= -1000 || $0 > Int32.max }
        for number in found {
            if let narrow = Int32(exactly: number), narrow < 0 { found.insert(Int(UInt32(bitPattern: narrow))) }
            if let wide = UInt32(exactly: number), wide > Int32.max { found.insert(Int(Int32(bitPattern: wide))) }
        }
        values = found
    }
}

extension Substring {
    func trimmingSuffix(_ characters: String) -> Substring {
        var text = self
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return text
    }
}
