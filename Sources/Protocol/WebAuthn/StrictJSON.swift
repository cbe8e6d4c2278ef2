internal import Foundation

/// A reader of an object in exactly the JSON of RFC 8259.
///
/// `JSONDecoder` also takes UTF-16, a second byte-order mark, trailing commas and repeated names; lenient readers of
/// signed bytes can disagree about their meaning.
struct StrictJSON {
    private let bytes: [UInt8]
    private var position = 0
    /// The outermost object's members, in order.
    private var members: [Member] = []

    struct Member {
        /// The name, escapes resolved.
        let name: String
        let value: Value
    }

    enum Value {
        /// A text, escapes resolved; nil where an escaped surrogate has no other half.
        case text(String?)
        case bool(Bool)
        case null
        /// The text of a number, an array or an object.
        case other(ArraySlice<UInt8>)
    }

    /// Deeper input is refused, so that recursion stays bounded.
    private static let nestingLimit = 64

    private struct NotJSON: Error {}

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The members of an object that fills the bytes, repeated ones included; nil when they are not an object.
    static func members(ofObject bytes: [UInt8]) -> [Member]? {
        var scanner = StrictJSON(bytes)
        do {
            scanner.skipSpace()
            guard scanner.next == UInt8(ascii: "{") else { return nil }
            _ = try scanner.readValue(depth: 0)
            scanner.skipSpace()
        } catch {
            return nil
        }
        return scanner.next == nil ? scanner.members : nil
    }

    /// The members of an object by their names; nil when the bytes are not an object, or it repeats a name.
    static func uniqueMembers(ofObject bytes: [UInt8]) -> [String: Value]? {
        guard let members = members(ofObject: bytes) else { return nil }
        var values: [String: Value] = [:]
        for member in members where values.updateValue(member.value, forKey: member.name) != nil { return nil }
        return values
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(NotJSON) {
        guard take(byte) else { throw NotJSON() }
    }

    private mutating func readValue(depth: Int) throws(NotJSON) -> Value {
        guard depth < Self.nestingLimit else { throw NotJSON() }
        let start = position
        switch next {
        case UInt8(ascii: "{"): try readObject(depth: depth)
        case UInt8(ascii: "["): try readArray(depth: depth)
        case UInt8(ascii: "\""):
            let string = try readString()
            // Only the outermost object's values are kept.
            if depth == 1 { return .text(text(of: string)) }
        case UInt8(ascii: "t"):
            try readWord("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try readWord("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try readWord("null")
            return .null
        default: try readNumber()
        }
        return .other(bytes[start..<position])
    }

    private mutating func readObject(depth: Int) throws(NotJSON) {
        try require(UInt8(ascii: "{"))
        skipSpace()
        if take(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            let name = try readString()
            skipSpace()
            try require(UInt8(ascii: ":"))
            skipSpace()
            let value = try readValue(depth: depth + 1)
            if depth == 0 {
                guard let name = text(of: name) else { throw NotJSON() }
                members.append(Member(name: name, value: value))
            }
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
            _ = try readValue(depth: depth + 1)
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

    private func text(of string: Range<Int>) -> String? {
        guard bytes[string].contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes[string].dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[string]))
    }
}
