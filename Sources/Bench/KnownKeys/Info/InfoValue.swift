package import CBOR
internal import WebAuthn

/// A member's value as JSON has it.
///
/// Bytes are lower-case hexadecimal digits; what JSON has no form for is written in CBOR's diagnostic notation
/// (RFC 8949 §8).
package indirect enum InfoValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Int)
    case text(String)
    case list([InfoValue])
    case members([String: InfoValue])

    /// The value for a CBOR item; every item has one.
    package init(_ value: CBOR.Value) {
        switch value {
        case .null, .undefined: self = .null
        case .bool(let flag): self = .bool(flag)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .text(Hex.encode(bytes))
        case .array(let items): self = .list(items.map { InfoValue($0) })
        case .map(let map):
            var members: [String: InfoValue] = [:]
            for (key, value) in map {
                if case .text(let name) = key {
                    members[name] = InfoValue(value)
                } else {
                    members[key.description] = InfoValue(value)
                }
            }
            self = .members(members)
        default: self = (try? value.asInteger("number")).map { .number($0) } ?? .text(value.description)
        }
    }
}

extension InfoValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([InfoValue].self) {
            self = .list(items)
        } else {
            self = .members(try container.decode([String: InfoValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .members(let value): try container.encode(value)
        }
    }
}
