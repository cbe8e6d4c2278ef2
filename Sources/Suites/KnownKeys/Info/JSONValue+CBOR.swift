internal import CBOR
internal import Documents
internal import WebAuthn

extension JSONValue {
    /// Bytes become lower-case hexadecimal digits; an item without a JSON form becomes its diagnostic notation
    /// (RFC 8949 §8).
    init(_ value: CBOR.Value) {
        switch value {
        case .null, .undefined: self = .null
        case .bool(let flag): self = .bool(flag)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .text(Hex.encode(bytes))
        case .array(let items): self = .array(items.map { JSONValue($0) })
        case .map(let map):
            var members: [String: JSONValue] = [:]
            for (key, value) in map { members[InfoWords.identifier(key)] = JSONValue(value) }
            self = .object(members)
        default: self = (try? value.asInteger("number")).map { .integer($0) } ?? .text(value.description)
        }
    }
}
