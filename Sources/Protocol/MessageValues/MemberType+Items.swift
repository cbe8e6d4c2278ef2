package import CBOR

extension MemberType {
    /// Whether an item has the type, with everything in it.
    package func admits(_ item: CBOR.Value) -> Bool {
        switch (self, item) {
        case (.unsigned, .unsigned), (.bool, .bool), (.bytes, .bytes), (.text, .text), (.item, _): true
        case (.algorithm, .unsigned), (.algorithm, .negative): true
        case (.aaguid, .bytes(let bytes)): bytes.count == 16
        case (.list(let type), .array(let items)): items.allSatisfy(type.admits)
        case (.dictionary(let type), .map(let map)):
            map.allSatisfy { entry in
                if case .text = entry.key { type.admits(entry.value) } else { false }
            }
        case (.members(let members), .map(let map)):
            members.allSatisfy { member in map[member.key].map(member.type.admits) ?? true }
        default: false
        }
    }

    /// The type in words, such as "a byte string".
    package var words: String {
        switch self {
        case .unsigned: "an unsigned integer"
        case .bool: "a boolean"
        case .bytes: "a byte string"
        case .text: "a text string"
        case .algorithm: "an integer"
        case .aaguid: "a byte string of 16 bytes"
        case .list(let type): "an array, each item \(type.words)"
        case .dictionary(let type): "a map from texts, each value \(type.words)"
        case .members: "a map"
        case .item: "any item"
        }
    }
}
