internal import CBOR
internal import CTAP
internal import MessageValues

/// The expected value at a place in a message: its structure, its meanings, and whether it is secret.
///
/// The tables of this folder consist of shapes. A value that does not have its place's shape is treated as
/// ``unknown``: a broken client may put a secret there.
indirect enum Shape: Sendable {
    /// A number; some values have names.
    case integer([Int: String] = [:])
    /// A number made of named bits, the lowest first.
    case bits([String])
    case algorithm
    case bool
    case text
    /// Public bytes.
    case bytes
    /// A text encoded as a byte string.
    case textInBytes
    /// The 16 bytes of an AAGUID.
    case aaguid
    case secret
    case list(Shape)
    case members([MapMember])
    /// A map from any text to values of one shape.
    case dictionary(Shape)
    case authenticatorData(outputs: [MapMember])
    /// A shape determined by a number, in this map or beside it.
    case selected(by: Selector, [Int: Shape])
    /// A public value of any type.
    case anything
    /// A value of unknown meaning: numbers and booleans are public, bytes and text may be secret.
    case unknown

    /// The place of the number that determines a shape.
    enum Selector: Sendable {
        case member(Int)
        case sibling(Int)
    }
}

extension Shape {
    /// The shape of values of a type; bytes, and items of any content, may be secret.
    init(_ type: MemberType) {
        self =
            switch type {
            case .unsigned: .integer()
            case .bool: .bool
            case .text: .text
            case .algorithm: .algorithm
            case .aaguid: .aaguid
            case .list(let item): .list(Shape(item))
            case .dictionary(let value): .dictionary(Shape(value))
            case .members(let members): .members(members.map { MapMember($0, Shape($0.type)) })
            case .bytes, .item: .unknown
            }
    }
}

/// A member of a map.
struct MapMember: Sendable {
    let key: CBOR.Value
    let name: String
    let shape: Shape
    /// The type in the message's own table; nil for a member of a structure without one.
    let type: MemberType?
    let isRequired: Bool

    init(_ key: Int, _ name: String, _ shape: Shape) {
        self.key = .integer(key)
        self.name = name
        self.shape = shape
        (type, isRequired) = (nil, false)
    }

    init(_ member: MessageMember, _ shape: Shape) {
        key = member.key
        name = member.name
        self.shape = shape
        (type, isRequired) = (member.type, member.isRequired)
    }

    /// The members of a map: each with its shape in the table, or with that of its type.
    static func list<Key: MessageKey>(_ members: [MessageMember], _ shapes: [Key: Shape]) -> [MapMember] {
        let shapes = Dictionary(uniqueKeysWithValues: shapes.map { ($0.rawValue.keyItem, $1) })
        return members.map { MapMember($0, shapes[$0.key] ?? Shape($0.type)) }
    }

    /// A member whose key is its name.
    init(_ name: String, _ shape: Shape) {
        key = .text(name)
        self.name = name
        self.shape = shape
        (type, isRequired) = (nil, false)
    }
}
