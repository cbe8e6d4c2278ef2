/// Walks over a JSON text (RFC 8259), reads its values, and remembers the way to each.
struct JSONWalk {
    struct Mistake: Error {
        let position: Int
        let member: String
        let message: String
    }

    private static let deepestNesting = 512

    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var path = YAMLPath.root
    private var depth = 0
    /// The place of a value, and its position.
    private var mark = (position: 0, line: 1, column: 1)
    private var wanted: [String]?
    /// Whether an object with two members of one name is a mistake.
    var refusesRepeatedNames = false
    /// The position of the wanted value.
    private(set) var found: Int?

    init(_ bytes: [UInt8], file: String = "") { (self.bytes, self.file) = (bytes, file) }

    /// Reads the whole text, and notes the position of a value on the way.
    @discardableResult
    mutating func run(until wanted: [String]? = nil) throws(Mistake) -> YAMLValue {
        self.wanted = wanted
        skipBlanks()
        guard peek != nil else { throw mistake("the text is empty; give a JSON value") }
        let value = try value()
        skipBlanks()
        guard peek == nil else { throw mistake("more text follows after the value; give one JSON value") }
        return value
    }

    static func place(of position: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(position)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, String(decoding: before[start...], as: UTF8.self).count + 1)
    }

    /// The place of the next byte.
    private mutating func nextPlace() -> SourcePlace {
        for byte in bytes[mark.position..<position] {
            if byte == UInt8(ascii: "\n") {
                mark.line += 1
                mark.column = 1
            } else if byte & 0xC0 != 0x80 {
                mark.column += 1
            }
        }
        mark.position = position
        return SourcePlace(file: file, line: mark.line, column: mark.column)
    }

    // MARK: Values

    private mutating func value() throws(Mistake) -> YAMLValue {
        if let wanted, path.steps == wanted { found = found ?? position }
        guard depth < Self.deepestNesting else { throw mistake("more than 512 values lie within each other") }
        let place = nextPlace()
        let content: YAMLValue.Content =
            switch peek ?? 0 {
            case UInt8(ascii: "{"): .map(try object())
            case UInt8(ascii: "["): .list(try array())
            case UInt8(ascii: "\""): .scalar(try text(), isQuoted: true)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .scalar(try number(), isQuoted: false)
            default: .scalar(try word(), isQuoted: false)
            }
        return YAMLValue(content, source: place, place: path)
    }

    /// Reads the value of a member or an item.
    private mutating func value(at path: YAMLPath) throws(Mistake) -> YAMLValue {
        let outer = self.path
        self.path = path
        depth += 1
        let value = try value()
        depth -= 1
        self.path = outer
        return value
    }

    private mutating func object() throws(Mistake) -> [YAMLValue.Entry] {
        let start = position
        position += 1
        skipBlanks()
        if take("}") { return [] }
        var entries: [YAMLValue.Entry] = []
        var names: Set<String> = []
        while true {
            guard peek == UInt8(ascii: "\"") else { throw nameProblem(openedAt: start) }
            let place = nextPlace()
            let nameStart = position
            let name = try text()
            if refusesRepeatedNames, !names.insert(name).inserted {
                position = nameStart
                throw mistake("\(name) is given twice; keep one")
            }
            let outer = path
            path = .key(name, of: outer)
            skipBlanks()
            guard take(":") else { throw mistake("a colon is missing after the name") }
            path = outer
            skipBlanks()
            entries.append((name, place, try value(at: .key(name, of: path))))
            skipBlanks()
            if take("}") { return entries }
            guard take(",") else { throw endProblem(of: "object", "}", openedAt: start) }
            skipBlanks()
        }
    }

    private mutating func array() throws(Mistake) -> [YAMLValue] {
        let start = position
        position += 1
        skipBlanks()
        if take("]") { return [] }
        var items: [YAMLValue] = []
        while true {
            items.append(try value(at: .item(items.count, of: path)))
            skipBlanks()
            if take("]") { return items }
            guard take(",") else { throw endProblem(of: "array", "]", openedAt: start) }
            skipBlanks()
            if peek == UInt8(ascii: "]") { throw mistake("a comma stands before the closing ]; remove it") }
        }
    }

    private mutating func text() throws(Mistake) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                let character = try escaped()
                content += Array(String(Character(character)).utf8)
            case 0..<0x20:
                throw mistake("a text contains a line break or another control character; write \\n, or close the text")
            default:
                content.append(byte)
                position += 1
            }
        }
        position = start
        throw mistake("the text has no closing quotation mark; the end of the file may be missing")
    }

    /// The characters that stand for another one after a backslash.
    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Reads an escape (RFC 8259 §7).
    private mutating func escaped() throws(Mistake) -> Unicode.Scalar {
        let kind = position + 1 < bytes.count ? bytes[position + 1] : 0
        if kind == UInt8(ascii: "u") { return try escapedNumber() }
        guard let character = Self.escapes[kind] else {
            throw mistake("the escape does not exist in JSON; write \\\\ for a backslash")
        }
        position += 2
        return character
    }

    /// Reads `\uXXXX`, or the two of them that stand for one character.
    private mutating func escapedNumber() throws(Mistake) -> Unicode.Scalar {
        let first = try unit(at: position)
        guard UTF16.isLeadSurrogate(first), bytes.dropFirst(position + 6).starts(with: "\\u".utf8) else {
            guard let character = Unicode.Scalar(first) else { throw halfCharacter }
            position += 6
            return character
        }
        let second = try unit(at: position + 6)
        let number = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        guard UTF16.isTrailSurrogate(second), let character = Unicode.Scalar(number) else { throw halfCharacter }
        position += 12
        return character
    }

    private var halfCharacter: Mistake {
        mistake("the escape is half of a character; write both halves, or the character itself")
    }

    /// The four digits of the escape at a position.
    private func unit(at position: Int) throws(Mistake) -> UInt16 {
        let digits = bytes.dropFirst(position + 2).prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw mistake("four hexadecimal digits are missing after \\u") }
        return unit
    }

    private mutating func number() throws(Mistake) -> String {
        let start = position
        _ = take("-")
        let digits = skipDigits()
        var isNumber = digits == 1 || digits > 1 && bytes[position - digits] != UInt8(ascii: "0")
        if take(".") { isNumber = skipDigits() > 0 && isNumber }
        if let byte = peek, byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if !take("+") { _ = take("-") }
            isNumber = skipDigits() > 0 && isNumber
        }
        guard isNumber, peek.map(Self.isLetter) != true else {
            position = start
            throw mistake("\(wordHere) is not a number in JSON; write a text in quotation marks")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word() throws(Mistake) -> String {
        for known in ["true", "false", "null"] where wordHere == known {
            position += known.utf8.count
            return known
        }
        throw valueProblem
    }

    // MARK: Problems

    private func mistake(_ message: String) -> Mistake {
        Mistake(position: position, member: path.text, message: message)
    }

    private static let dump = "this is not JSON but what a console shows; print it with JSON.stringify(value)"

    private var valueProblem: Mistake {
        guard let byte = peek else { return mistake("the text ends before a value; its end is missing") }
        switch byte {
        case UInt8(ascii: "'"): return mistake("texts stand in double quotation marks, not in single ones")
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return mistake("a value is missing")
        case UInt8(ascii: "/"): return mistake("JSON has no comments; remove it")
        case UInt8(ascii: "<"): return mistake("\(Self.dump)")
        default: break
        }
        let word = wordHere
        switch word {
        case "undefined", "NaN", "Infinity": return mistake("JSON has no \(word); write null, or leave the member out")
        case "True", "False", "None":
            let other = ["True": "true", "False": "false"][word] ?? "null"
            return mistake("\(word) is Python's; write \(other), or print the value with json.dumps")
        case "": return mistake("a value cannot begin with this character; texts stand in double quotation marks")
        default:
            let isDump = ["Object", "Uint8Array", "ArrayBuffer", "PublicKeyCredential", "Buffer", "Array"].contains(
                word)
            return mistake(isDump ? Self.dump : "\(word) is not a value; texts stand in double quotation marks")
        }
    }

    private func nameProblem(openedAt start: Int) -> Mistake {
        guard let byte = peek else { return endProblem(of: "object", "}", openedAt: start) }
        switch byte {
        case UInt8(ascii: "}"): return mistake("a comma stands before the closing }; remove it")
        case UInt8(ascii: "'"): return mistake("names stand in double quotation marks, not in single ones")
        case UInt8(ascii: "/"): return mistake("JSON has no comments; remove it")
        case UInt8(ascii: ","): return mistake("a comma is too many; remove it")
        default:
            return mistake(
                "a name in double quotation marks is expected; the output of console.log is not JSON, and "
                    + "JSON.stringify(value) prints it")
        }
    }

    private func endProblem(of kind: String, _ end: String, openedAt start: Int) -> Mistake {
        guard let byte = peek else {
            let line = Self.place(of: start, in: bytes).line
            return mistake(
                "the \(kind) that begins in line \(line) has no closing \(end); the end of the text may be missing")
        }
        let begins = Self.isLetter(byte) || "\"{[-".utf8.contains(byte)
        return mistake(
            begins ? "a comma is missing before this" : "a comma or the closing \(end) of the \(kind) is expected")
    }

    // MARK: Characters

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || "_.".contains(character))
    }

    /// The letters and digits from here on.
    private var wordHere: String {
        let word = bytes[position...].prefix { Self.isLetter($0) || $0 == UInt8(ascii: "-") }
        return String(decoding: word.prefix(40), as: UTF8.self)
    }
}
