/// The client's statement about a ceremony: its kind, its challenge and its origin (WebAuthn L3 §5.8.1).
public struct CollectedClientData: Hashable, Sendable {
    /// `webauthn.create` or `webauthn.get`.
    public var type: String
    /// The challenge, as base64url text exactly as received.
    public var challenge: String
    /// The caller's origin, such as `https://example.org`.
    public var origin: String
    /// Whether the ceremony ran in a frame whose origin differs from the top one; nil when not stated.
    public var crossOrigin: Bool?
    /// The top-level page's origin, when it differs.
    public var topOrigin: String?
    /// Members after those the specification names, with the text of their values; written, never read.
    public var additionalMembers: [AdditionalMember] = []

    /// A member that a later version or a single client adds; relying parties ignore it (WebAuthn L3 §5.8.1).
    public struct AdditionalMember: Hashable, Sendable {
        /// The member's name.
        public var name: String
        /// The text of its value.
        public var value: String

        /// A member of a name and a text.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The type of a registration.
    public static let createType = "webauthn.create"
    /// The type of an authentication.
    public static let getType = "webauthn.get"

    /// Client data for a challenge.
    public init(
        type: String, challenge: [UInt8], origin: String, crossOrigin: Bool? = false, topOrigin: String? = nil
    ) {
        self.type = type
        self.challenge = Base64URL.encode(challenge)
        self.origin = origin
        self.crossOrigin = crossOrigin
        self.topOrigin = topOrigin
    }

    /// The reason bytes are not client data.
    public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The bytes are not UTF-8.
        case notUTF8
        /// The text is not a JSON object.
        case notJSON
        /// A member is missing or of the wrong type.
        case invalidMember(String)
        /// A member is stated more than once, so that two readers may see two values.
        case duplicateMember(String)

        /// The violated rule and the member, if any.
        public var description: String {
            switch self {
            case .notUTF8: "clientDataJSON is not valid UTF-8"
            case .notJSON: "clientDataJSON is not a JSON object"
            case .invalidMember(let name): "clientDataJSON member \(name) is missing or of the wrong type"
            case .duplicateMember(let name): "clientDataJSON states member \(name) more than once"
            }
        }
    }

    /// Reads client data: "UTF-8 decode" (which strips a byte-order mark), then JSON (WebAuthn L3 §7.1 steps 5 to 6).
    ///
    /// Members it does not know are ignored; one given twice is refused.
    ///
    /// - Throws: ``ParsingError``.
    public init(parsing bytes: [UInt8]) throws(ParsingError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        guard String(validating: content, as: UTF8.self) != nil else { throw .notUTF8 }
        guard let members = StrictJSON.members(ofObject: content) else { throw .notJSON }
        var values: [String: StrictJSON.Value] = [:]
        for member in members where values.updateValue(member.value, forKey: member.name) != nil {
            throw .duplicateMember(member.name)
        }
        type = try Self.required("type", values)
        challenge = try Self.required("challenge", values)
        origin = try Self.required("origin", values)
        switch values["crossOrigin"] {
        case nil, .null: crossOrigin = nil
        case .bool(let value): crossOrigin = value
        case .text, .other: throw .invalidMember("crossOrigin")
        }
        topOrigin = try Self.text("topOrigin", values)
    }

    private static func text(_ name: String, _ values: [String: StrictJSON.Value]) throws(ParsingError) -> String? {
        switch values[name] {
        case nil, .null: return nil
        case .text(let text):
            guard let text else { throw .notJSON }
            return text
        case .bool, .other: throw .invalidMember(name)
        }
    }

    private static func required(_ name: String, _ values: [String: StrictJSON.Value]) throws(ParsingError) -> String {
        guard let text = try text(name, values) else { throw .invalidMember(name) }
        return text
    }

    /// The serialisation every client must produce, member by member in this order (WebAuthn L3 §5.8.1.1).
    public var encoded: [UInt8] {
        var json = "{\"type\":" + Self.quoted(type)
        json += ",\"challenge\":" + Self.quoted(challenge)
        json += ",\"origin\":" + Self.quoted(origin)
        json += ",\"crossOrigin\":" + (crossOrigin == true ? "true" : "false")
        if let topOrigin { json += ",\"topOrigin\":" + Self.quoted(topOrigin) }
        for member in additionalMembers { json += ",\(Self.quoted(member.name)):\(Self.quoted(member.value))" }
        json += "}"
        return Array(json.utf8)
    }

    /// CCDToString (WebAuthn L3 §5.8.1.2): escapes quotation mark, reverse solidus and control characters only.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{00}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
