internal import Captures
internal import WebAuthn
internal import Wording

/// Bytes in text, in the forms in which programs write them.
struct ByteText: Hashable, Sendable {
    let bytes: [UInt8]
    /// The form, such as `hexadecimal`.
    let form: String

    /// Whether the text may be something else: a short name looks like base64url.
    var isGuess: Bool { form == "base64url" && bytes.count < 24 }

    private init(_ bytes: [UInt8], _ form: String) { (self.bytes, self.form) = (bytes, form) }

    init(base64url bytes: [UInt8]) { self.init(bytes, "base64url") }

    /// Bytes of a value in JSON other than a text.
    init(_ pasted: PastedBytes) { self.init(pasted.bytes, pasted.form?.rawValue ?? "base64url") }

    /// Reads a whole text; the error names the first character that has no place in it.
    init(_ text: String) throws(UndecodableInput) {
        if let bytes = PrintedBytes.ofArrayBuffer(Substring(text)) {
            self.init(bytes, "an ArrayBuffer as Node prints it")
            return
        }
        let trimmed = Substring(text).trimmed
        let inner = Self.unwrapped(PrintedBytes.base64(ofDataURL: trimmed).map(String.init) ?? text)
        if let bytes = Self.bytea(inner) {
            self.init(bytes, "hexadecimal")
            return
        }
        if inner.contains("\\x"), Self.isLiteral(text) {
            try self.init(escapes: inner)
            return
        }
        if let list = Self.list(inner) {
            self = list
            return
        }
        let hexadecimal = inner.allSatisfy { $0.isWhitespace || "xX:-,".contains($0) || HexDamage.isDigit($0) }
        guard hexadecimal || !PlainText.isWords(Substring(inner)) else {
            throw UndecodableInput("the input is words, not bytes; \(PlainText.advice)")
        }
        let letters = Letters(inner)
        guard !letters.isEmpty else {
            throw UndecodableInput("the input has no bytes; \(PlainText.advice)")
        }
        if let hex = try letters.hex {
            self.init(hex, "hexadecimal")
        } else {
            let (bytes, form) = try letters.base64
            self.init(bytes, form)
        }
    }

    // MARK: Wrappers

    /// The marks that programs write around bytes: Node, Swift, CBOR's diagnostic notation, JavaScript, C, Python.
    private static let prefixes = [
        "<Buffer", "<", "h'", "b64'", "Uint8Array", "ArrayBuffer", "[]byte", "b'", "b\"", "\"", "'",
    ]

    private static func unwrapped(_ text: String) -> String {
        var inner = Substring(text).trimmed
        for call in ["bytearray(", "bytes(", "memoryview("] where inner.hasPrefix(call) && inner.hasSuffix(")") {
            inner = inner.dropFirst(call.count).dropLast().trimmed
        }
        // A literal ends with its own quotation mark; what stands before belongs to the bytes.
        let start = inner.first == "b" ? inner.dropFirst() : inner
        if let quote = start.first, "'\"".contains(quote), inner.contains("\\x"),
            let end = inner.lastIndex(of: quote), end > start.startIndex,
            inner[inner.index(after: end)...].allSatisfy({ ");, ".contains($0) })
        {
            return String(start.dropFirst()[..<end])
        }
        if let prefix = prefixes.first(where: { inner.hasPrefix($0) }) {
            inner = inner.dropFirst(prefix.count)
            // `Uint8Array(3) [1, 2, 3]`
            if prefix.hasPrefix("Uint8") || prefix.hasPrefix("Array"),
                let place = inner.firstIndex(where: { "[{".contains($0) })
            {
                inner = inner[place...]
            }
            while let last = inner.last, ">'\");,".contains(last) { inner = inner.dropLast() }
        }
        while let last = inner.last, ",;".contains(last) { inner = inner.dropLast() }
        return String(inner.trimmed)
    }

    /// The bytes of `\xA3010203`, as PostgreSQL prints a bytea; nil for other texts, and for one escape.
    private static func bytea(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("\\x"), text.utf8.count > 4 else { return nil }
        return Hex.decode(String(text.dropFirst(2)))
    }

    /// Whether each line begins with a literal, or is one; words before a literal are a program's or a log's.
    private static func isLiteral(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).allSatisfy { line in
            !line.trimmed.prefix { !"\\\"'".contains($0) }.contains(where: \.isWhitespace)
        }
    }

    /// The text of a literal in C or Python, with its escapes.
    init(escapes text: String) throws(UndecodableInput) {
        do {
            self.init(try EscapedBytes.decode(text), "a text with escapes")
        } catch {
            throw UndecodableInput(error.description)
        }
    }

    /// A list such as `[1, 2]`, `{0x01, 0x02}`, `01, 02` or `[163, -5]`; nil for any other text.
    static func list(_ text: String) -> ByteText? {
        var inner = Substring(text)
        if let first = inner.first, "[{(".contains(first) {
            inner = inner.dropFirst()
            guard let last = inner.last, "]})".contains(last) else { return nil }
            inner = inner.dropLast().trimmed
        } else {
            guard inner.contains(",") else { return nil }
        }
        let words = inner.split { $0 == "," || $0.isWhitespace }
        guard !words.isEmpty else { return nil }
        if words.contains(where: { $0.hasPrefix("0x") || $0.hasPrefix("0X") }) {
            let bytes = words.map { UInt8($0.hasPrefix("0x") || $0.hasPrefix("0X") ? $0.dropFirst(2) : $0, radix: 16) }
            return bytes.contains(nil) ? nil : ByteText(bytes.compactMap(\.self), "a list of hexadecimal numbers")
        }
        let areDigits = words.allSatisfy { $0.count == 2 && UInt8($0, radix: 16) != nil }
        if areDigits, words.contains(where: { Int($0) == nil || $0.hasPrefix("0") }) {
            return ByteText(words.compactMap { UInt8($0, radix: 16) }, "a list of hexadecimal numbers")
        }
        // Java's bytes have a sign.
        let numbers = words.map { Int($0) }
        guard numbers.allSatisfy({ $0.map { (-128...255).contains($0) } ?? false }) else { return nil }
        return ByteText(numbers.compactMap { $0 }.map { UInt8(truncatingIfNeeded: $0) }, "a list of numbers")
    }
}

/// The characters of a text without its blanks, with their places.
private struct Letters {
    private var letters: [(character: Character, line: Int, column: Int)] = []

    init(_ text: String) {
        var (line, column) = (1, 1)
        for character in text {
            if character.isNewline {
                (line, column) = (line + 1, 1)
                continue
            }
            if !character.isWhitespace { letters.append((character, line, column)) }
            column += 1
        }
    }

    var isEmpty: Bool { letters.isEmpty }

    private static func isSeparator(_ character: Character) -> Bool { ":-,".contains(character) }

    /// The bytes of hexadecimal digits, with `0x` or separators between them; nil for a text that is not hexadecimal.
    ///
    /// - Throws: for digits with a wrong character among them, and for an odd number.
    var hex: [UInt8]? {
        get throws(UndecodableInput) {
            var digits: [(character: Character, line: Int, column: Int)] = []
            var index = 0
            while index < letters.count {
                let letter = letters[index]
                index += 1
                if letter.character == "0", index < letters.count, "xX".contains(letters[index].character) {
                    index += 1
                } else if !Self.isSeparator(letter.character) {
                    digits.append(letter)
                }
            }
            let wrong = digits.filter { !$0.character.isASCII || !$0.character.isHexDigit }
            if let first = wrong.first {
                // Long texts of digits with few others are not base64, in which digits are rare.
                guard digits.count >= 24, wrong.count * 20 < digits.count else { return nil }
                throw UndecodableInput(
                    "“\(first.character)” in line \(first.line), column \(first.column) is not a hexadecimal digit; correct it"
                )
            }
            guard digits.count.isMultiple(of: 2) else {
                throw UndecodableInput(
                    "the input has \(digits.count) hexadecimal digits, an odd number; add the missing digit")
            }
            return Hex.decode(String(digits.map(\.character)))
        }
    }

    /// The bytes of base64 in either alphabet, with or without padding.
    var base64: (bytes: [UInt8], form: String) {
        get throws(UndecodableInput) {
            let padding = letters.reversed().prefix { $0.character == "=" }.count
            var text = ""
            var isStandard = false
            var isURL = false
            for letter in letters.dropLast(padding) {
                switch letter.character {
                case "+", "/":
                    isStandard = true
                    text.append(letter.character == "+" ? "-" : "_")
                case "-", "_":
                    isURL = true
                    text.append(letter.character)
                case let character where character.isASCII && (character.isLetter || character.isNumber):
                    text.append(character)
                default:
                    throw UndecodableInput(
                        "“\(letter.character)” in line \(letter.line), column \(letter.column) is neither hexadecimal nor "
                            + "base64; \(PlainText.advice)")
                }
                if isStandard, isURL {
                    throw UndecodableInput(
                        "“\(letter.character)” in line \(letter.line), column \(letter.column) is of the other alphabet of base64 "
                            + "than a character before it; use one alphabet")
                }
            }
            guard text.utf8.count % 4 != 1 else {
                throw UndecodableInput(
                    "the input is not hexadecimal, and \(text.utf8.count) characters are not a possible number for base64; "
                        + "give all of them"
                )
            }
            guard let bytes = Base64URL.decode(text) ?? Self.lenient(text) else {
                throw UndecodableInput("the input is not base64; give all of its characters")
            }
            let form = isStandard || padding > 0 ? (isURL ? "base64url with padding" : "base64") : "base64url"
            return (bytes, form)
        }
    }

    /// The bytes of a text whose last character has bits that belong to no byte.
    private static func lenient(_ text: String) -> [UInt8]? {
        guard let last = text.last else { return nil }
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let number = alphabet.firstIndex(of: last) else { return nil }
        let kept = text.utf8.count % 4 == 2 ? number & 0x30 : number & 0x3C
        return Base64URL.decode(text.dropLast() + String(alphabet[kept]))
    }
}

extension Substring {
    /// Without blanks and line breaks at both ends.
    var trimmed: Substring {
        var text = self.drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return text
    }
}
