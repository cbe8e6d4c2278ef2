internal import CBOR
internal import CTAP
internal import MessageValues

extension InfoMember {
    enum Kind {
        /// Texts or numbers in any order.
        case set
        /// Texts, numbers or algorithms, most preferred first.
        case preference
        case number
        case flag
        case bytes
        /// Text as a byte string.
        case address
        case options
        case levels
    }

    var kind: Kind {
        switch type {
        case .list: isPreference ? .preference : .set
        case .bytes: isTextInBytes ? .address : .bytes
        case .aaguid, .text, .algorithm, .members, .item: .bytes
        case .dictionary: self == .options ? .options : .levels
        case .bool: .flag
        case .unsigned: .number
        }
    }
}

extension CBOR.Map {
    /// The map in an item; an empty one for any other item.
    init(_ item: CBOR.Value?) {
        if case .map(let map)? = item { self = map } else { self.init() }
    }

    /// The keys that are not the number of a member.
    var unknownKeys: [CBOR.Value] {
        keys.filter { key in (try? key.asUnsigned("key")).flatMap(InfoMember.init(rawValue:)) == nil }
    }
}
