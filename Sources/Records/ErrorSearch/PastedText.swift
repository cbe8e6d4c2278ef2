/// Text from a log or a page, taken apart for the search: its lines, and the words of its sentences.
struct PastedText {
    let lines: [PastedLine]
    /// The words of all lines without case, punctuation and apostrophes.
    var sentence: [Substring] { lines.flatMap(\.sentence) }

    init(_ text: String) {
        // Logs in JSON write a line's end as two characters; web pages write a minus sign as one of their own.
        let text = text.replacing("\\n", with: "\n").replacing(/[−–](?=[0-9])/, with: "-").joiningStatusWords()
        lines = text.split(whereSeparator: \.isNewline).map(PastedLine.init).filter { !$0.words.isEmpty }
    }

    /// Whether the text is a number and nothing else.
    var isNumberAlone: Bool { lines.count == 1 && lines[0].words.count == 1 && lines[0].words[0].number != nil }

    /// The words of a sentence without case, punctuation and apostrophes.
    static func words(of text: some StringProtocol) -> [Substring] {
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
    /// The words without case, punctuation and apostrophes.
    let sentence: [Substring]
    /// The words in small letters, each between spaces.
    private let spaced: String

    init(_ line: Substring) {
        let message = Self.message(of: line)
        sentence = PastedText.words(of: line)
        let texts = message.split { !($0.isLetter || $0.isNumber || "._-+*".contains($0)) }
            .map { $0.drop { ".+*".contains($0) }.trimmingSuffix(".-*") }.filter { !$0.isEmpty }
        let first = message.prefixMatch(of: /\s*\[(-?[0-9]+)\]/)?.1
        let alone = Set(message.matches(of: /(?:^|[^A-Za-z0-9])[\[(]\s*(0[xX][0-9A-Fa-f]+|-?[0-9]+)\s*[\])]/).map(\.1))
            .union(message.matches(of: /[\[(]\s*(0[xX][0-9A-Fa-f]+|-[0-9]+)\s*[\])]/).map(\.1))
        spaced = " " + texts.map { $0.lowercased() }.joined(separator: " ") + " "
        words = texts.enumerated().map { place, text in
            let isMarked = alone.contains(text) || Self.isMarked(by: texts[..<place])
            let isInBrackets = place == 0 && text == first
            guard place == 0 || !Self.places.contains(texts[place - 1].lowercased()) else {
                return Word(text: text, number: nil)
            }
            return Word(text: text, number: PastedNumber(text, isMarked: isMarked, isInBrackets: isInBrackets))
        }
    }

    var numbers: [PastedNumber] { words.compactMap(\.number) }

    /// Whether a line has nothing but numbers and words for an error in general, such as `error code 7`.
    ///
    /// Other words say what failed, and most of what fails is none of the table's interfaces.
    var isBare: Bool {
        words.allSatisfy { word in
            let text = word.text.lowercased()
            return word.number != nil || Self.links.contains(text) || Self.markers.contains(text)
                || Self.isGeneral(text)
        }
    }

    /// Whether a word in small letters is one for an error, or for what the table is about.
    static func isGeneral(_ word: some StringProtocol) -> Bool { general.contains(String(word)) }

    /// Whether the line has a name in small letters: a phrase, a word, or with a `*` at the end the beginning of a word.
    func mentions(_ name: String) -> Bool {
        if name.contains(" ") { return spaced.contains(" \(name) ") }
        if name.hasSuffix("*") { return spaced.contains(" \(name.dropLast())") }
        return spaced.contains(" \(name) ") || spaced.contains(" \(name).")
    }

    /// Whether a word is followed by a word that denies it: `timedOut: false`; a comma ends what the word says.
    func denies(_ place: Int) -> Bool {
        guard place + 1 < words.count else { return false }
        let (word, next) = (words[place].text, words[place + 1].text)
        return ["false", "null", "nil"].contains(next.lowercased())
            && !word.base[word.endIndex..<next.startIndex].contains(",")
    }

    /// Whether a number counts what the next word names: `7 seconds`.
    func counts(_ place: Int) -> Bool {
        guard place + 1 < words.count, let first = words[place + 1].text.first, first.isLowercase else { return false }
        let word = words[place].text
        return word.base[word.endIndex..<words[place + 1].text.startIndex].allSatisfy(\.isWhitespace)
    }

    /// Whether a word ends a value, as `{"error": "lockout"}` does; in `error: Failed to load` the sentence continues.
    func ends(_ place: Int) -> Bool {
        let word = words[place].text
        let rest = word.base[word.endIndex...].prefix { !$0.isNewline }.drop { "\"'”’`.".contains($0) }
        return rest.first.map { ",;)]}".contains($0) } ?? true
    }

    /// A line without the date, the time and the numbers of process and thread at its beginning.
    private static func message(of line: Substring) -> Substring {
        line.prefixMatch(of: /\s*(?:[0-9]{2,4}-[0-9-]+[ T])?[0-9]{1,2}:[0-9:.,]+(?:Z|[+-][0-9:]+)?(?:\s+[0-9]+)*/)
            .map { line[$0.range.upperBound...] } ?? line
    }

    /// The words of a log of libfido2 whose numbers say where and when, and not what failed.
    private static let places: Set<String> = ["dev", "cmd", "ms"]
    private static let links: Set<String> = [
        "is", "was", "of", "with", "the", "a", "an", "to", "number", "value", "equals", "no", "by", "and", "int",
    ]
    private static let markers: Set<String> = [
        "err", "rc", "ret", "retval", "hr", "hresult", "result", "return", "returned", "returns", "failed", "failure",
        "fail", "reason", "sw", "raw", "rawvalue", "onauthenticationerror", "got", "internalcode",
    ]
    /// Words for an error, and for what the table is about.
    private static let general: Set<String> = [
        "error", "code", "errorcode", "error_code", "resultcode", "status", "statuscode", "exception", "osstatus",
        "biometric", "biometrics", "biometry", "fingerprint", "face", "faceid", "touch", "touchid", "id", "passkey",
        "passkeys", "webauthn", "fido", "fido2", "authentication", "authenticator",
    ]

    /// Whether a number after these words is a code: after `code`, `status = `, `resultCode: `, `failed with`.
    private static func isMarked(by words: ArraySlice<Substring>) -> Bool {
        let telling = words.map { $0.lowercased() }.filter { !links.contains($0) }
        // The status of a process is not a code: `exited with code 1`.
        guard let last = telling.last, !telling.suffix(2).contains(where: ["exit", "exited"].contains) else {
            return false
        }
        return markers.contains(last)
            || ["code", "error", "status", "exception"].contains { last.hasSuffix($0) }
    }
}

/// A number of a log, in every way it can be meant.
struct PastedNumber {
    /// The number, and the same bits as a signed and as an unsigned 32-bit number; none for `6A80` without `0x`.
    let values: Set<Int>
    /// The digits as a hexadecimal number, for interfaces whose numbers are often printed without `0x`.
    let bareHexadecimal: Int?
    let isHexadecimal: Bool
    /// Whether words or brackets around it say that it is a code.
    let isMarked: Bool

    /// Whether it is the first word of its line, in square brackets.
    let isInBrackets: Bool

    /// Whether such a number is almost always a code: -25300, 0x80090016.
    let isDistinctive: Bool

    init?(_ text: Substring, isMarked: Bool, isInBrackets: Bool) {
        let text = text.lowercased()
        let digits = text.hasPrefix("0x") ? text.dropFirst(2).trimmingSuffix("lu") : text[...]
        isHexadecimal = text.hasPrefix("0x")
        self.isMarked = isMarked
        self.isInBrackets = isInBrackets
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
        // `3c` is a number, `be` a word.
        guard !found.isEmpty || bareHexadecimal != nil && digits.contains(where: \.isNumber) else { return nil }
        // Many systems number their errors down to -1999, and write -1 as 4294967295.
        isDistinctive = found.contains { number in
            number <= -2000
                || number > Int32.max && UInt32(exactly: number).map { Int32(bitPattern: $0) <= -2000 } ?? true
        }
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
