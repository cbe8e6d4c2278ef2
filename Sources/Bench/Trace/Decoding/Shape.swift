internal import CBOR

/// What stands at a place in a message: what to call it, how to word it, and whether it is secret.
///
/// The tables of this folder are made of these. A value that is not of its place's shape is treated as ``unknown``:
/// what a broken client puts into a wrong place may be a secret.
indirect enum Shape: Sendable {
    /// A number; some have names.
    case integer([Int: String] = [:])
    /// A number made of named bits, the lowest first.
    case bits([String])
    /// A COSE algorithm identifier.
    case algorithm
    case bool
    case text
    /// Bytes anybody may see.
    case bytes
    /// Bytes that spell a text.
    case textInBytes
    /// The sixteen bytes of an AAGUID.
    case aaguid
    /// A secret, whatever it is made of.
    case secret
    /// An array of equals.
    case list(Shape)
    /// A map of known members.
    case members([Member])
    /// A map of equals under any text.
    case dictionary(Shape)
    /// Authenticator data with these extension outputs.
    case authenticatorData(outputs: [Member])
    /// What a number decides: a member of this map, or one beside it.
    case selected(by: Selector, [Int: Shape])
    /// Public, whatever it is made of.
    case anything
    /// Numbers and booleans may be seen; bytes and text may be secret.
    case unknown

    /// Where the deciding number is.
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
