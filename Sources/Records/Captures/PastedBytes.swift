internal import Documents
internal import WebAuthn

/// Bytes in a form in which programs log them; WebAuthn's JSON has base64url without padding.
struct PastedBytes {
    let bytes: [UInt8]
    /// The other form; nil for base64url without padding.
    let form: Form?

    /// A form with one reading only.
    enum Form: String, CaseIterable {
        case object = "an object of numbers"
        case list = "a list of numbers"
        case buffer = "a Node buffer"
        case hex = "hexadecimal"
        case standard = "standard base64"
        case padded = "base64url with padding"
        case broken = "base64url with white space"
        case plain = "plain text"
    }

    /// Names of a typed array that some loggers write beside its elements.
    private static let properties: Set = ["length", "byteLength", "byteOffset", "BYTES_PER_ELEMENT", "buffer"]

    private init(_ bytes: [UInt8], _ form: Form? = nil) { (self.bytes, self.form) = (bytes, form) }

    /// Nil for a value that is not bytes, or has several readings.
    init?(_ value: JSONValue) {
        switch value {
        case .text(let text): self.init(text: text)
        case .array(let items): self.init(items.map(\.integer), .list)
        case .object(let members):
            if let data = members["data"]?.array, members["type"] == "Buffer" {
                self.init(data.map(\.integer), .buffer)
            } else {
                let count = members.keys.count { !Self.properties.contains($0) }
                guard count > 0 else { return nil }
                self.init((0..<count).map { members["\($0)"]?.integer }, .object)
            }
        case .null, .bool, .integer, .number: return nil
        }
    }

    /// Reads a text: base64url, standard base64, hexadecimal or a list of numbers.
    init?(text: String) {
        if let bytes = Self.hex(text) {
            self.init(bytes, .hex)
        } else if let bytes = Base64URL.decode(text) {
            self.init(bytes)
        } else if let (bytes, form) = Self.base64(text) {
            self.init(bytes, form)
        } else {
            self.init(Self.numbers(text), .list)
        }
    }

    private init?(_ numbers: [Int?], _ form: Form) {
        guard let bytes = Self.bytes(numbers) else { return nil }
        self.init(bytes, form)
    }

    /// Unsigned bytes, or signed ones, as Java and Kotlin log them.
    private static func bytes(_ numbers: [Int?]) -> [UInt8]? {
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count else { return nil }
        let range = known.contains { $0 < 0 } ? -128...127 : 0...255
        guard known.allSatisfy(range.contains) else { return nil }
        return known.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Whether a program left bytes out when it logged them: `<Buffer 49 96 0d … 42 more bytes>`, `… 28 more items`.
    static func isCutOff(_ text: String) -> Bool {
        text.contains(/(?:\.\.\.|…)\s*[0-9]+ more (?:byte|item)s?\b/) || text.contains(/^<Buffer .*(?:\.\.\.|…)/)
    }

    /// Sixteen bytes or more as digits of one case, which base64url by chance never is, or any number behind `0x`, `\x`
    /// or `<Buffer`, or divided by colons.
    private static func hex(_ text: String) -> [UInt8]? {
        var digits = text[...]
        var isMarked = digits.contains(":")
        for mark in ["0x", "\\x", "<Buffer ", "<"] where digits.hasPrefix(mark) {
            digits = digits.dropFirst(mark.count)
            if digits.last == ">" { digits.removeLast() }
            isMarked = true
            break
        }
        let plain = digits.filter { !$0.isWhitespace && $0 != ":" }
        guard plain.count >= (isMarked ? 2 : 32), isMarked || plain == plain.lowercased() || plain == plain.uppercased()
        else { return nil }
        return Hex.decode(plain)
    }

    private static func base64(_ text: String) -> ([UInt8], Form)? {
        let letters = text.filter { !$0.isWhitespace }
        let isStandard = letters.contains { "+/".contains($0) }
        guard !isStandard || !letters.contains(where: { "-_".contains($0) }) else { return nil }
        var plain = letters.replacing("+", with: "-").replacing("/", with: "_")
        while plain.last == "=", letters.count.isMultiple(of: 4) { plain.removeLast() }
        guard letters.count - plain.count <= 2, let bytes = Base64URL.decode(plain) else { return nil }
        return (bytes, isStandard ? .standard : plain.count < letters.count ? .padded : .broken)
    }

    /// `1,2,3`, `[1, 2, 3]`, or either behind the name of a type; a nil item for another text.
    private static func numbers(_ text: String) -> [Int?] {
        guard text.contains(",") else { return [nil] }
        var list = text[...]
        if let open = list.firstIndex(of: "["), let close = list.lastIndex(of: "]"), open < close {
            list = list[list.index(after: open)..<close]
        }
        let items = list.split(separator: ",", omittingEmptySubsequences: false)
        return items.map { Int($0.filter { !$0.isWhitespace }) }
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
