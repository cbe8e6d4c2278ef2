package import CBOR
internal import COSE
internal import WebAuthn

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
    /// An array whose items have one type.
    case list(MemberType)
    /// A map from text to values of one type.
    case dictionary(MemberType)
    /// A map of known members.
    case members([MessageMember])
    /// Any item, which the message does not look into.
    case item
}

/// A member of a message: its key, its name in the specification, and its type.
package struct MessageMember: Hashable, Sendable {
    /// A number in messages, a text in the entities inside them.
    package let key: CBOR.Value
    /// The specification's name.
    package let name: String
    /// The type of its value.
    package let type: MemberType
}

/// A value of a member.
protocol MemberValue: MemberElement {
    /// The CBOR type.
    static var type: MemberType { get }
    /// Reads an item.
    ///
    /// - Throws: `CBOR.AccessError` with a path that begins at the item.
    init(item: CBOR.Value) throws(CBOR.AccessError)
    /// The item.
    var item: CBOR.Value { get }
}

/// An element of an array that is a member's value; bytes make a byte string, everything else an array.
protocol MemberElement {
    static var typeOfArray: MemberType { get }
    static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [Self]
    static func item(of array: [Self]) -> CBOR.Value
}

extension MemberElement where Self: MemberValue {
    static var typeOfArray: MemberType { .list(type) }

    static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [Self] {
        var array: [Self] = []
        for (index, item) in try item.asArray("").enumerated() {
            do {
                array.append(try Self(item: item))
            } catch {
                throw error.inside("[\(index)]")
            }
        }
        return array
    }

    static func item(of array: [Self]) -> CBOR.Value { .array(array.map(\.item)) }
}

extension UInt8: MemberElement {
    static var typeOfArray: MemberType { .bytes }
    static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [UInt8] { try item.asBytes("") }
    static func item(of array: [UInt8]) -> CBOR.Value { .bytes(array) }
}

extension Array: MemberElement, MemberValue where Element: MemberElement {
    static var type: MemberType { Element.typeOfArray }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self = try Element.array(of: item) }
    var item: CBOR.Value { Element.item(of: self) }
}

extension Dictionary: MemberElement, MemberValue where Key == String, Value: MemberValue {
    static var type: MemberType { .dictionary(Value.type) }

    init(item: CBOR.Value) throws(CBOR.AccessError) {
        self.init()
        for (key, value) in try item.asMap("") {
            let name = try key.asText("the key \(key)")
            do {
                self[name] = try Value(item: value)
            } catch {
                throw error.inside(name)
            }
        }
    }

    var item: CBOR.Value {
        var map = CBOR.Map()
        for (key, value) in self { map[key] = value.item }
        return .map(map)
    }
}

extension Int: MemberValue {
    static var type: MemberType { .unsigned }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asUnsigned("") }
    var item: CBOR.Value { .integer(self) }
}

extension Bool: MemberValue {
    static var type: MemberType { .bool }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asBool("") }
    var item: CBOR.Value { .bool(self) }
}

extension String: MemberValue {
    static var type: MemberType { .text }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asText("") }
    var item: CBOR.Value { .text(self) }
}

extension COSE.Algorithm: MemberValue {
    static var type: MemberType { .algorithm }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self.init(rawValue: try item.asInteger("")) }
    var item: CBOR.Value { .integer(rawValue) }
}

extension AAGUID: MemberValue {
    static var type: MemberType { .aaguid }

    init(item: CBOR.Value) throws(CBOR.AccessError) {
        guard let aaguid = AAGUID(bytes: try item.asBytes("")) else {
            throw CBOR.AccessError(problem: .outOfRange, path: "")
        }
        self = aaguid
    }

    var item: CBOR.Value { .bytes(bytes) }
}

extension AuthenticatorTransport: MemberValue {
    static var type: MemberType { .text }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self.init(try item.asText("")) }
    var item: CBOR.Value { .text(rawValue) }
}

extension CBOR.Map: MemberValue {
    static var type: MemberType { .item }
    init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asMap("") }
    var item: CBOR.Value { .map(self) }
}

extension CBOR.Value: MemberValue {
    static var type: MemberType { .item }
    init(item: CBOR.Value) { self = item }
    var item: CBOR.Value { self }
}
