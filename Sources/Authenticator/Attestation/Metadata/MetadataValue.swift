public import CBOR
internal import WebAuthn

/// A value in a metadata statement that is whatever JSON can say.
public indirect enum MetadataValue: Hashable, Sendable {
    case text(String)
    case number(Int)
    case bool(Bool)
    case list([MetadataValue])
    case members([String: MetadataValue])

    /// What getInfo answers, as metadata has it (FIDO Metadata Statement 3.1, `AuthenticatorGetInfo`): members by their names, byte
    /// strings, such as the AAGUID, as lower-case hexadecimal digits, but `pinComplexityPolicyURL` as the text it is.
    ///
    /// Left out are members that no specification names, and `encIdentifier` and `encCredStoreState`, which are one
    /// device's and different in every answer.
    ///
    /// - Parameter answer: the map of the answer, with numbers for keys (CTAP 2.3 §6.4).
    public static func authenticatorGetInfo(_ answer: CBOR.Map) -> MetadataValue {
        var members: [String: MetadataValue] = [:]
        for (key, name) in infoNames {
            if let value = answer[key] { members[name] = MetadataValue(value) }
        }
        if case .bytes(let address) = answer[0x1C] {
            members["pinComplexityPolicyURL"] = .text(String(decoding: address, as: UTF8.self))
        }
        return .members(members)
    }

    /// The value JSON has for a CBOR value; nil where it has none: `null`, `undefined`, tags, numbers beyond `Int`.
    private init?(_ value: CBOR.Value) {
        switch value {
        case .text(let text): self = .text(text)
        case .bool(let bool): self = .bool(bool)
        case .bytes(let bytes): self = .text(Hex.encode(bytes))
        case .array(let items): self = .list(items.compactMap { MetadataValue($0) })
        case .map(let map):
            var members: [String: MetadataValue] = [:]
            for case (.text(let name), let value) in map { members[name] = MetadataValue(value) }
            self = .members(members)
        default:
            guard let number = try? value.asInteger("number") else { return nil }
            self = .number(number)
        }
    }

    private static let infoNames: [Int: String] = [
        0x01: "versions", 0x02: "extensions", 0x03: "aaguid", 0x04: "options", 0x05: "maxMsgSize",
        0x06: "pinUvAuthProtocols", 0x07: "maxCredentialCountInList", 0x08: "maxCredentialIdLength",
        0x09: "transports", 0x0A: "algorithms", 0x0B: "maxSerializedLargeBlobArray", 0x0C: "forcePINChange",
        0x0D: "minPINLength", 0x0E: "firmwareVersion", 0x0F: "maxCredBlobLength",
        0x10: "maxRPIDsForSetMinPINLength", 0x11: "preferredPlatformUvAttempts", 0x12: "uvModality",
        0x13: "certifications", 0x14: "remainingDiscoverableCredentials", 0x15: "vendorPrototypeConfigCommands",
        0x16: "attestationFormats", 0x17: "uvCountSinceLastPinEntry", 0x18: "longTouchForReset",
        0x1A: "transportsForReset", 0x1B: "pinComplexityPolicy",
        0x1D: "maxPINLength", 0x1F: "authenticatorConfigCommands",
    ]
}

extension MetadataValue: Encodable {
    /// Writes the value itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .members(let value): try container.encode(value)
        }
    }
}
