/// Base64url without padding, the form of every byte string in WebAuthn's JSON (RFC 4648 §5; WebAuthn L3 §3).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The number of each letter; 255 for every other byte.
    private static let numbers: [UInt8] = {
        var numbers = [UInt8](repeating: .max, count: 256)
        for (number, letter) in alphabet.enumerated() { numbers[Int(letter)] = UInt8(number) }
        return numbers
    }()

    /// The text form, without padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count * 8 + 5) / 6
        return String(unsafeUninitializedCapacity: length) { text in
            var buffer: UInt32 = 0
            var (bits, index) = (0, 0)
            for byte in bytes {
                buffer = buffer << 8 | UInt32(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    text[index] = alphabet[Int(buffer >> bits & 0x3F)]
                    index += 1
                }
            }
            if bits > 0 {
                text[index] = alphabet[Int(buffer << (6 - bits) & 0x3F)]
                index += 1
            }
            return index
        }
    }

    /// The bytes of unpadded base64url; padding, other alphabets, white space and stray bits give nil.
    public static func decode(_ text: String) -> [UInt8]? {
        let letters = text.utf8
        guard letters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for letter in letters {
            let number = numbers[Int(letter)]
            guard number != .max else { return nil }
            buffer = buffer << 6 | UInt32(number)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        // Unused bits must be zero: two texts for one credential ID would break look-ups.
        return buffer & (1 << bits - 1) == 0 ? bytes : nil
    }
}

/// Bytes that are base64url text in JSON.
public struct Base64URLBytes: Hashable, Sendable, Codable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

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
