internal import CBOR

/// The expected value at a place in a message: its structure, its meanings, and whether it is secret.
///
/// The tables of this folder consist of shapes. A value that does not have its place's shape is treated as
/// ``unknown``: a broken client may put a secret there.
indirect enum Shape: Sendable {
    /// A number; some values have names.
    case integer([Int: String] = [:])
    /// A number made of named bits, the lowest first.
    case bits([String])
    /// A COSE algorithm identifier.
    case algorithm
    case bool
    case text
    /// Public bytes.
    case bytes
    /// A text encoded as a byte string.
    case textInBytes
    /// The 16 bytes of an AAGUID.
    case aaguid
    /// A secret of any type.
    case secret
    /// An array whose items have one shape.
    case list(Shape)
    /// A map of known members.
    case members([Member])
    /// A map from any text to values of one shape.
    case dictionary(Shape)
    /// Authenticator data with these extension outputs.
    case authenticatorData(outputs: [Member])
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

/// A member of a map.
struct Member: Sendable {
    let key: CBOR.Value
    let name: String
    let shape: Shape

    init(_ key: Int, _ name: String, _ shape: Shape) {
        self.key = .integer(key)
        self.name = name
        self.shape = shape
    }

    /// A member whose key is its name.
    init(_ name: String, _ shape: Shape) {
        key = .text(name)
        self.name = name
        self.shape = shape
    }
}
