internal import Foundation

/// A recogniser for exactly the JSON of RFC 8259.
///
/// `JSONDecoder` also takes UTF-16, a second byte-order mark, trailing commas and repeated names; lenient readers of
/// signed bytes can disagree about their meaning.
struct StrictJSON {
    private let bytes: [UInt8]
    private var position = 0
    /// The outermost object's names, in order, escapes resolved.
    private var names: [String] = []

    /// Deeper input is refused, so that recursion stays bounded.
    private static let nestingLimit = 64

    private struct NotJSON: Error {}

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The member names of an object that fills the bytes, repeated ones included; nil when they are not an object.
    static func memberNames(ofObject bytes: [UInt8]) -> [String]? {
        var scanner = StrictJSON(bytes)
        do {
            scanner.skipSpace()
            guard scanner.next == UInt8(ascii: "{") else { return nil }
            try scanner.readValue(depth: 0)
            scanner.skipSpace()
        } catch {
            return nil
        }
        return scanner.next == nil ? scanner.names : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(NotJSON) {
        guard take(byte) else { throw NotJSON() }
    }

    private mutating func readValue(depth: Int) throws(NotJSON) {
        guard depth < Self.nestingLimit else { throw NotJSON() }
        switch next {
        case UInt8(ascii: "{"): try readObject(depth: depth)
        case UInt8(ascii: "["): try readArray(depth: depth)
        case UInt8(ascii: "\""): _ = try readString()
        case UInt8(ascii: "t"): try readWord("true")
        case UInt8(ascii: "f"): try readWord("false")
        case UInt8(ascii: "n"): try readWord("null")
        default: try readNumber()
        }
    }

    private mutating func readObject(depth: Int) throws(NotJSON) {
        try require(UInt8(ascii: "{"))
        skipSpace()
        if take(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            let name = try readString()
            if depth == 0 { names.append(try text(of: name)) }
            skipSpace()
            try require(UInt8(ascii: ":"))
            skipSpace()
            try readValue(depth: depth + 1)
            skipSpace()
        } while take(UInt8(ascii: ","))
        try require(UInt8(ascii: "}"))
    }

    private mutating func readArray(depth: Int) throws(NotJSON) {
        try require(UInt8(ascii: "["))
        skipSpace()
        if take(UInt8(ascii: "]")) { return }
        repeat {
            skipSpace()
            try readValue(depth: depth + 1)
            skipSpace()
        } while take(UInt8(ascii: ","))
        try require(UInt8(ascii: "]"))
    }

    /// Reads a string and gives its bytes, quotation marks included.
    private mutating func readString() throws(NotJSON) -> Range<Int> {
        let start = position
        try require(UInt8(ascii: "\""))
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<position
            case UInt8(ascii: "\\"): try readEscape()
            case 0..<0x20: throw NotJSON()
            default: break
            }
        }
        throw NotJSON()
    }

    private mutating func readEscape() throws(NotJSON) {
        guard let byte = next else { throw NotJSON() }
        position += 1
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw NotJSON() }
            return
        }
        for _ in 0..<4 {
            guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit else { throw NotJSON() }
            position += 1
        }
    }

    private mutating func readWord(_ word: String) throws(NotJSON) {
        for byte in word.utf8 { try require(byte) }
    }

    private mutating func readNumber() throws(NotJSON) {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try readDigits() }
        if take(UInt8(ascii: ".")) { try readDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try readDigits()
        }
    }

    private mutating func readDigits() throws(NotJSON) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw NotJSON() }
    }

    private func text(of string: Range<Int>) throws(NotJSON) -> String {
        guard let text = try? JSONDecoder().decode(String.self, from: Data(bytes[string])) else { throw NotJSON() }
        return text
    }
}
