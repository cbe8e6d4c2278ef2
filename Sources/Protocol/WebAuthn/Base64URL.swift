internal import Foundation

/// Base64url without padding, the form of every byte string in WebAuthn's JSON (RFC 4648 §5; WebAuthn L3 §3).
public enum Base64URL {
    /// The text form, without padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text = Data(bytes).base64EncodedString()
        text.replace("+", with: "-")
        text.replace("/", with: "_")
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }

    /// The bytes of unpadded base64url; padding, other alphabets, white space and stray bits give nil.
    public static func decode(_ text: String) -> [UInt8]? {
        var standard = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "A"..."Z", "a"..."z", "0"..."9": standard.unicodeScalars.append(scalar)
            case "-": standard += "+"
            case "_": standard += "/"
            default: return nil
            }
        }
        let partial = standard.utf8.count % 4
        guard partial != 1 else { return nil }
        if partial > 0 { standard += String(repeating: "=", count: 4 - partial) }
        guard let data = Data(base64Encoded: standard) else { return nil }
        let bytes = Array(data)
        // Unused bits must be zero: two texts for one credential ID would break look-ups.
        return encode(bytes) == text ? bytes : nil
    }
}

/// Bytes that are base64url text in JSON.
public struct Base64URLBytes: Hashable, Sendable, Codable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads unpadded base64url text.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bytes = Base64URL.decode(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not unpadded base64url")
        }
        self.bytes = bytes
    }

    /// Writes unpadded base64url text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
