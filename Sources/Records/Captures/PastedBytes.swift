package import Documents
internal import WebAuthn

/// Bytes in a form in which programs log them; WebAuthn's JSON has base64url without padding.
package struct PastedBytes {
    package let bytes: [UInt8]
    /// The other form; nil for base64url without padding.
    package let form: Form?

    /// A form with one reading only.
    package enum Form: String, CaseIterable, Sendable {
        case object = "an object of numbers"
        case list = "a list of numbers"
        case buffer = "a Node buffer"
        case typed = "a typed array"
        case arrayBuffer = "Node's description of an ArrayBuffer"
        case extended = "MongoDB's extended JSON"
        case python = "a literal of Python"
        case dataURL = "a data URL"
        case quoted = "a text in quotation marks"
        case hex = "hexadecimal"
        case standard = "standard base64"
        case padded = "base64url with padding"
        case broken = "base64url with white space"
        case plain = "plain text"
    }

    /// The reason that a value is not bytes.
    package enum Problem: Error, Hashable {
        /// The text or list is cut off.
        case cutOff
        /// A text of hexadecimal digits, one of which is missing or surplus.
        case oddDigits(Int)
        /// An object of numbers without one of its indices.
        case missingIndex(Int)
        /// An item of a list that is not a byte, such as 300.
        case notByte(index: Int, text: String)
        /// A text in no known form.
        case text
        /// A value without bytes.
        case other
    }

    /// Names of a typed array that some loggers write beside its elements.
    private static let properties: Set = ["length", "byteLength", "byteOffset", "BYTES_PER_ELEMENT", "buffer"]
    /// The types that loggers write beside a list of their elements.
    private static let types: [String: Form] = [
        "Buffer": .buffer, "Uint8Array": .typed, "Uint8ClampedArray": .typed, "Int8Array": .typed,
        "ArrayBuffer": .typed,
    ]

    private init(_ bytes: [UInt8], _ form: Form? = nil) { (self.bytes, self.form) = (bytes, form) }

    /// Reads a value with one reading.
    package init(_ value: JSONValue) throws(Problem) {
        switch value {
        case .text(let text): try self.init(text: text)
        case .array(let items): try self.init(Self.bytes(items), .list)
        case .object(let members): try self.init(members)
        case .null, .bool, .integer, .number: throw .other
        }
    }

    private init(_ members: [String: JSONValue]) throws(Problem) {
        if let data = members["data"]?.array, let form = members["type"]?.text.flatMap({ Self.types[$0] }) {
            try self.init(Self.bytes(data), form)
            return
        }
        // MongoDB's extended JSON, in its present form and in the former one.
        if let binary = members["$binary"], let text = (binary["base64"] ?? binary).text {
            guard let bytes = Base64URL.decode(text) ?? Self.base64(text)?.0 else { throw .text }
            self.init(bytes, .extended)
            return
        }
        let names = members.keys.filter { !Self.properties.contains($0) }
        guard !names.isEmpty, names.allSatisfy({ Int($0) != nil }) else { throw .other }
        var items: [JSONValue] = []
        for index in 0..<names.count {
            guard let item = members["\(index)"] else { throw .missingIndex(index) }
            items.append(item)
        }
        try self.init(Self.bytes(items), .object)
    }

    /// Reads a text: base64url, standard base64, hexadecimal, a list of numbers, or what a program prints for a buffer.
    package init(text: String) throws(Problem) {
        let inner = Substring(text).trimmedBlanks
        if Self.isCutOff(text) {
            throw .cutOff
        } else if let bytes = PrintedBytes.ofArrayBuffer(inner) {
            self.init(bytes, .arrayBuffer)
        } else if let bytes = PrintedBytes.ofPython(inner) {
            self.init(bytes, .python)
        } else if let base64 = PrintedBytes.base64(ofDataURL: inner) {
            guard let bytes = Base64URL.decode(String(base64)) ?? Self.base64(String(base64))?.0 else { throw .text }
            self.init(bytes, .dataURL)
        } else if let digits = Self.digits(text) {
            guard let bytes = Hex.decode(digits) else { throw .oddDigits(digits.count) }
            self.init(bytes, .hex)
        } else if let bytes = Base64URL.decode(text) {
            self.init(bytes)
        } else if let (bytes, form) = Self.base64(text) {
            self.init(bytes, form)
        } else if let items = Self.items(text) {
            try self.init(Self.bytes(items), .list)
        } else if inner.count > 2, inner.first == "\"", inner.last == "\"" {
            try self.init(Self(text: String(inner.dropFirst().dropLast())).bytes, .quoted)
        } else {
            throw .text
        }
    }

    /// Unsigned bytes, or signed ones, as Java and Kotlin log them; as numbers or as their texts.
    private static func bytes(_ items: [JSONValue]) throws(Problem) -> [UInt8] {
        if items.contains(where: { $0.text.map(isCutOff) == true }) { throw .cutOff }
        let numbers = items.map(number)
        let known = numbers.compactMap(\.self)
        let range = known.contains { $0 < 0 } ? -128...127 : 0...255
        if let index = numbers.firstIndex(where: { $0.map { !range.contains($0) } ?? true }) {
            throw .notByte(index: index, text: words(items[index]))
        }
        return known.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// A number, also as its text; `04` is not a text of a number, but hexadecimal.
    private static func number(_ item: JSONValue) -> Int? {
        item.integer ?? item.text.flatMap { text in Int(text).flatMap { "\($0)" == text ? $0 : nil } }
    }

    private static func words(_ item: JSONValue) -> String {
        (try? item.bytes()).map { String(decoding: $0.prefix(20), as: UTF8.self) } ?? "a value"
    }

    /// Whether a program left bytes out when it logged them: `<Buffer 49 96 0d … 42 more bytes>`, `… 28 more items`.
    static func isCutOff(_ text: String) -> Bool {
        text.contains(/(?:\.\.\.|…)\s*[0-9]+ more (?:byte|item)s?\b/) || text.contains(/^<Buffer .*(?:\.\.\.|…)/)
    }

    /// The digits of sixteen bytes or more in one case, which base64url by chance never is, or any number behind `0x`, `\x`
    /// or `<Buffer`, or divided by colons.
    private static func digits(_ text: String) -> String? {
        var digits = text[...]
        var isMarked = digits.contains(":")
        for mark in ["0x", "\\x", "<Buffer ", "<"] where digits.hasPrefix(mark) {
            digits = digits.dropFirst(mark.count)
            if digits.last == ">" { digits.removeLast() }
            isMarked = true
            break
        }
        let plain = digits.filter { !$0.isWhitespace && $0 != ":" }
        guard plain.count >= (isMarked ? 2 : 32),
            isMarked || plain == plain.lowercased() || plain == plain.uppercased(),
            plain.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        return plain
    }

    /// Whether a text in another form could also be hexadecimal digits, too few to tell.
    static func mayBeDigits(_ text: String) -> Bool {
        let plain = text.filter { !$0.isWhitespace }
        return plain.count < 32 && Hex.decode(plain) != nil
    }

    private static func base64(_ text: String) -> ([UInt8], Form)? {
        // Some loggers write the line breaks of base64 as escapes.
        let letters = text.replacing("\\r", with: "").replacing("\\n", with: "").filter { !$0.isWhitespace }
        let isStandard = letters.contains { "+/".contains($0) }
        guard !isStandard || !letters.contains(where: { "-_".contains($0) }) else { return nil }
        var plain = letters.replacing("+", with: "-").replacing("/", with: "_")
        while plain.last == "=", letters.count.isMultiple(of: 4) { plain.removeLast() }
        guard letters.count - plain.count <= 2, let bytes = Base64URL.decode(plain) else { return nil }
        return (bytes, isStandard ? .standard : plain.count < letters.count ? .padded : .broken)
    }

    /// The items of `1,2,3`, `[1, 2, 3]`, or either behind the name of a type; nil for another text.
    private static func items(_ text: String) -> [JSONValue]? {
        guard text.contains(",") else { return nil }
        var list = text[...]
        if let open = list.firstIndex(of: "["), let close = list.lastIndex(of: "]"), open < close {
            list = list[list.index(after: open)..<close]
        }
        let items = list.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        // Words with a comma are not a list.
        guard items.allSatisfy({ Int($0) != nil }) else { return nil }
        return items.map { Int($0).map(JSONValue.integer) ?? .text($0) }
    }
}

extension Substring {
    /// The text without blanks at its ends.
    fileprivate var trimmedBlanks: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

/// A file's text, and the remarks on it that do not refuse it.
final class CaptureNotes {
    private var paths: [PastedBytes.Form: [String]] = [:]
    private var sentences: [String] = []
    /// The file's text.
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The place of a member in the file; nil for the whole file.
    func place(of steps: [String]) -> JSONPlace? { steps.isEmpty ? nil : JSONPlace(of: steps, in: bytes) }

    func add(_ sentence: String) { sentences.append(sentence) }

    func add(_ form: PastedBytes.Form, _ path: String) {
        if paths[form]?.contains(path) != true { paths[form, default: []].append(path) }
    }

    var all: [String] {
        let read = PastedBytes.Form.allCases.compactMap { form in
            paths[form].map { names in
                names.map { "`\($0)`" }.joined(separator: ", ")
                    + " \(names.count == 1 ? "is" : "are") read as \(form.rawValue); WebAuthn's JSON has base64url without padding"
            }
        }
        return read + sentences
    }
}
