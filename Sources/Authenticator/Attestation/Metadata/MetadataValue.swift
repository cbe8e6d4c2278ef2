public import CBOR
internal import CTAP
internal import WebAuthn

/// A JSON value in a metadata statement.
public indirect enum MetadataValue: Hashable, Sendable {
    case text(String)
    case number(Int)
    case bool(Bool)
    case list([MetadataValue])
    case members([String: MetadataValue])

    /// The getInfo response as metadata (FIDO Metadata Statement 3.1, `AuthenticatorGetInfo`).
    ///
    /// Members have their names; byte strings are lower-case hexadecimal, except `pinComplexityPolicyURL`, which is text.
    /// Omits unspecified members, and `encIdentifier` and `encCredStoreState`, which differ in every response.
    ///
    /// - Parameter answer: the map of the response, with numeric keys (CTAP 2.3 §6.4).
    public static func authenticatorGetInfo(_ answer: CBOR.Map) -> MetadataValue {
        var members: [String: MetadataValue] = [:]
        for member in InfoMember.allCases where !member.isNewInEveryAnswer {
            let value: CBOR.Value? = answer[member.rawValue]
            if !member.isTextInBytes {
                members[member.name] = value.flatMap { MetadataValue($0) }
            } else if case .bytes(let text) = value {
                members[member.name] = .text(String(decoding: text, as: UTF8.self))
            }
        }
        return .members(members)
    }

    /// The JSON value of a CBOR value; nil for `null`, `undefined`, tags and numbers beyond `Int`.
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
}

extension MetadataValue: Encodable {
    /// Encodes the value.
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
