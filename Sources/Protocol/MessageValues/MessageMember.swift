package import CBOR

/// The CBOR type of a member's value.
package indirect enum MemberType: Hashable, Sendable {
    case unsigned
    case bool
    case bytes
    case text
    /// A COSE algorithm identifier.
    case algorithm
    /// A byte string of 16 bytes.
    case aaguid
    case list(MemberType)
    /// A map from text to values of one type.
    case dictionary(MemberType)
    /// A map of known members.
    case members([MessageMember])
    /// Any item, which the message does not look into.
    case item
}

/// A member of a message: its key, its name in the specification, its type, and whether the specification requires it.
package struct MessageMember: Hashable, Sendable {
    /// A number in messages, a text in the entities inside them.
    package let key: CBOR.Value
    package let name: String
    package let type: MemberType
    package let isRequired: Bool

    package init(key: CBOR.Value, name: String, type: MemberType, isRequired: Bool) {
        self.key = key
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}
