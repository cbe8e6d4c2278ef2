internal import Documents
internal import WebAuthn

/// The text of a document that is being read, for the places of mistakes.
final class ExchangeText {
    /// The mistakes whose lines are looked up: each look-up walks through the text.
    private static let mostPlaces = 50

    private let bytes: [UInt8]
    private let file: String
    private var places = 0

    init(_ bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

    /// A mistake at a value, by the names and indices on the way to it.
    func error(at path: [ExchangeMember.Step], _ message: String) -> SourceError {
        places += 1
        let place = places > Self.mostPlaces ? nil : JSONPlace(of: path.map(\.text), in: bytes)
        return SourceError(
            file: file, line: place?.line, column: place?.column,
            message: path.isEmpty ? message : "\(ExchangeMember.words(path)): \(message)")
    }

    /// The line of a value; nil where it was not looked up.
    func line(of path: [ExchangeMember.Step]) -> Int? {
        places += 1
        return places > Self.mostPlaces ? nil : JSONPlace(of: path.map(\.text), in: bytes)?.line
    }
}

/// A value of a document with its path.
struct ExchangeMember {
    enum Step {
        case name(String)
        case item(Int)

        var text: String {
            switch self {
            case .name(let name): name
            case .item(let index): String(index)
            }
        }
    }

    let value: JSONValue
    let path: [Step]
    let text: ExchangeText

    /// The path as JavaScript writes it, such as `accounts[0].items[2].title`.
    static func words(_ path: [Step]) -> String {
        path.reduce(into: "") { words, step in
            switch step {
            case .name(let name): words += words.isEmpty ? name : ".\(name)"
            case .item(let index): words += "[\(index)]"
            }
        }
    }

    var words: String { Self.words(path) }

    func error(_ message: String) -> SourceError { text.error(at: path, message) }

    // MARK: Members

    /// The member of an object; nil where it is missing.
    subscript(name: String) -> ExchangeMember? {
        value[name].map { ExchangeMember(value: $0, path: path + [.name(name)], text: text) }
    }

    func required(_ name: String, _ remedy: String) throws(SourceError) -> ExchangeMember {
        guard let member = self[name] else { throw error("\(name) is missing; \(remedy)") }
        return member
    }

    /// Refuses a value other than an object.
    func checkObject() throws(SourceError) {
        guard value.object != nil else { throw error("is \(value.noun), not an object; export the document again") }
    }

    func items() throws(SourceError) -> [ExchangeMember] {
        guard let items = value.array else { throw error("is \(value.noun), not an array; write [] for none") }
        return items.enumerated().map { index, item in
            ExchangeMember(value: item, path: path + [.item(index)], text: text)
        }
    }

    // MARK: Values

    func string() throws(SourceError) -> String {
        guard let string = value.text else {
            throw error("is \(value.noun), not text; write text in quotation marks, or leave an optional member out")
        }
        return string
    }

    func flag() throws(SourceError) -> Bool {
        guard let flag = value.bool else {
            throw error("is \(value.noun), not a boolean; write true or false, or leave the member out")
        }
        return flag
    }

    func number(_ range: ClosedRange<Int>, _ remedy: String) throws(SourceError) -> Int {
        guard let number = value.integer, range.contains(number) else {
            let found = value.integer.map(String.init) ?? value.noun
            throw error("is \(found), not a whole number from \(range.lowerBound) to \(range.upperBound); \(remedy)")
        }
        return number
    }

    /// The end of the year 9999 in seconds; a time in milliseconds lies after it.
    private static let lastSecond = 253_402_300_799

    /// A time in seconds since the Unix epoch.
    func time() throws(SourceError) -> Int {
        guard let seconds = value.integer, seconds >= 0 else {
            throw error(
                "is \(value.integer.map(String.init) ?? value.noun), not a time; write whole seconds since 1970-01-01")
        }
        guard seconds <= Self.lastSecond else {
            throw error("is \(seconds), a time after the year 9999; write seconds, not milliseconds")
        }
        return seconds
    }

    /// Bytes in base64url without padding (§2; RFC 4648 §5).
    func bytes(_ lengths: ClosedRange<Int>) throws(SourceError) -> [UInt8] {
        let letters = try string()
        guard let bytes = Base64URL.decode(letters) else { throw error(Self.mistake(in: letters)) }
        guard lengths.contains(bytes.count) else {
            let limits =
                lengths.lowerBound == lengths.upperBound
                ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
            throw error("has \(bytes.count) bytes, not \(limits); export the document again")
        }
        return bytes
    }

    private static func mistake(in letters: String) -> String {
        if letters.utf8.contains(UInt8(ascii: "=")) {
            return "has padding, which base64url has none of here; remove the = signs"
        }
        if letters.utf8.contains(where: { "+/".utf8.contains($0) }) {
            return "is base64, not base64url; write - for + and _ for /"
        }
        if letters.contains(where: \.isWhitespace) { return "has white space in its base64url; remove it" }
        let isOfLetters = letters.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isOfLetters else { return "is not base64url; export the document again" }
        return letters.utf8.count % 4 == 1
            ? "ends early: base64url never has \(letters.utf8.count) letters; export the document again"
            : "has stray bits in its last letter, so its end is damaged; export the document again"
    }
}
