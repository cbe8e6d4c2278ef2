/// Walks over a JSON text (RFC 8259) and remembers the way to each value.
struct JSONWalk {
    struct Mistake: Error {
        let position: Int
        let member: String
        let message: String
    }

    private enum Step {
        case name(String)
        case item(Int)

        var text: String {
            switch self {
            case .name(let name): name
            case .item(let index): String(index)
            }
        }
    }

    private static let deepestNesting = 512

    private let bytes: [UInt8]
    private var position = 0
    private var path: [Step] = []
    private var wanted: [String]?
    /// Whether an object with two members of one name is a mistake.
    var refusesRepeatedNames = false
    /// The position of the wanted value.
    private(set) var found: Int?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Walks over the whole text, and notes the position of a value on the way.
    mutating func run(until wanted: [String]? = nil) throws(Mistake) {
        self.wanted = wanted
        skipBlanks()
        guard peek != nil else { throw mistake("the text is empty; give a JSON value") }
        try value()
        skipBlanks()
        guard peek == nil else { throw mistake("more text follows after the value; give one JSON value") }
    }

    static func place(of position: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(position)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return (line, String(decoding: before[start...], as: UTF8.self).count + 1)
    }

    // MARK: Values

    private mutating func value() throws(Mistake) {
        if let wanted, path.map(\.text) == wanted { found = found ?? position }
        guard path.count < Self.deepestNesting else { throw mistake("more than 512 values lie within each other") }
        switch peek ?? 0 {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: try word()
        }
    }

    private mutating func object() throws(Mistake) {
        let start = position
        position += 1
        skipBlanks()
        if take("}") { return }
        var names: Set<String> = []
        while true {
            guard peek == UInt8(ascii: "\"") else { throw nameProblem(openedAt: start) }
            let place = position
            let name = try text()
            if refusesRepeatedNames, !names.insert(name).inserted {
                position = place
                throw mistake("\(name) is given twice; keep one")
            }
            path.append(.name(name))
            skipBlanks()
            guard take(":") else { throw mistake("a colon is missing after the name") }
            skipBlanks()
            try value()
            path.removeLast()
            skipBlanks()
            if take("}") { return }
            guard take(",") else { throw endProblem(of: "object", "}", openedAt: start) }
            skipBlanks()
        }
    }

    private mutating func array() throws(Mistake) {
        let start = position
        position += 1
        skipBlanks()
        if take("]") { return }
        var index = 0
        while true {
            path.append(.item(index))
            try value()
            path.removeLast()
            index += 1
            skipBlanks()
            if take("]") { return }
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
                let escaped = position + 1 < bytes.count ? bytes[position + 1] : 0
                guard "\"\\/bfnrtu".utf8.contains(escaped) else {
                    throw mistake("the escape does not exist in JSON; write \\\\ for a backslash")
                }
                if escaped == UInt8(ascii: "u") {
                    let digits = bytes.dropFirst(position + 2).prefix(4)
                    guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
                        throw mistake("four hexadecimal digits are missing after \\u")
                    }
                }
                content += [byte, escaped]
                position += 2
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

    private mutating func number() throws(Mistake) {
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
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word() throws(Mistake) {
        for known in ["true", "false", "null"] where wordHere == known {
            position += known.utf8.count
            return
        }
        throw valueProblem
    }

    // MARK: Problems

    private func mistake(_ message: String) -> Mistake {
        var member = ""
        for step in path {
            switch step {
            case .name(let name): member += member.isEmpty ? name : ".\(name)"
            case .item(let index): member += "[\(index)]"
            }
        }
        return Mistake(position: position, member: member, message: message)
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
