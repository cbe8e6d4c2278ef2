internal import CBOR
internal import WebAuthn

/// CBOR in diagnostic notation (RFC 8949 §8), as browsers log it, and the literals of Python, which look alike.
struct DiagnosticText {
    private var rest: Substring
    private static let deepest = 32

    /// The item that a text is; nil for any other text.
    static func item(_ text: Substring) -> CBOR.Value? {
        var reader = DiagnosticText(rest: text.trimmed)
        guard let first = reader.rest.first, "{[(".contains(first), let item = reader.item(0) else { return nil }
        reader.skip()
        return reader.rest.isEmpty ? item : nil
    }

    private init(rest: Substring) { self.rest = rest }

    private mutating func skip() { rest = rest.drop(while: \.isWhitespace) }

    private mutating func takes(_ text: String) -> Bool {
        skip()
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func isNext(_ text: String) -> Bool {
        skip()
        return rest.hasPrefix(text)
    }

    private static let words: [(String, CBOR.Value)] = [
        ("true", true), ("True", true), ("false", false), ("False", false), ("null", .null), ("None", .null),
        ("undefined", .undefined),
    ]

    private mutating func item(_ depth: Int) -> CBOR.Value? {
        guard depth < Self.deepest else { return nil }
        skip()
        for (word, value) in Self.words where takes(word) { return value }
        if takes("h'") { return hex() }
        if takes("b64'") {
            return upTo("'").flatMap { Base64URL.decode(String($0.filter { $0 != "=" })) }.map { .bytes($0) }
        }
        for start in ["b'", "b\""] where takes(start) {
            return quoted(start.last ?? "'").flatMap { try? ByteText(escapes: $0) }.map { .bytes($0.bytes) }
        }
        if rest.hasPrefix("\"") || rest.hasPrefix("'") {
            let quote = rest.removeFirst()
            return quoted(quote).map { .text($0) }
        }
        if takes("{") { return map(depth) }
        if takes("[") { return array("]", depth) }
        if takes("(") { return array(")", depth) }
        return number(depth)
    }

    private mutating func hex() -> CBOR.Value? {
        upTo("'").flatMap { Hex.decode($0.filter { !$0.isWhitespace }) }.map { .bytes($0) }
    }

    private mutating func upTo(_ end: Character) -> Substring? {
        guard let place = rest.firstIndex(of: end) else { return nil }
        defer { rest = rest[rest.index(after: place)...] }
        return rest[..<place]
    }

    /// The text before a quotation mark, with its escapes.
    private mutating func quoted(_ quote: Character) -> String? {
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            text.append(character)
            if character == "\\" {
                guard let next = rest.popFirst() else { return nil }
                text.append(next)
            }
        }
        return nil
    }

    private mutating func number(_ depth: Int) -> CBOR.Value? {
        let isNegative = takes("-")
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        if rest.hasPrefix(".") { return nil }
        if !isNegative, takes("(") {
            guard let item = item(depth + 1), takes(")") else { return nil }
            return .tagged(number, item)
        }
        guard isNegative else { return .unsigned(number) }
        return number == 0 ? nil : .negative(number - 1)
    }

    private mutating func array(_ end: String, _ depth: Int) -> CBOR.Value? {
        var items: [CBOR.Value] = []
        while !takes(end) {
            guard let item = item(depth + 1) else { return nil }
            items.append(item)
            guard takes(",") || isNext(end) else { return nil }
        }
        return .array(items)
    }

    private mutating func map(_ depth: Int) -> CBOR.Value? {
        var map = CBOR.Map()
        while !takes("}") {
            // A key is looked up among those before it.
            guard map.count < 1024 else { return nil }
            guard let key = item(depth + 1), takes(":"), let value = item(depth + 1) else { return nil }
            map[key] = value
            guard takes(",") || isNext("}") else { return nil }
        }
        return .map(map)
    }
}
