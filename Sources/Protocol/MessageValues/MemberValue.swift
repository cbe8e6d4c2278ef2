package import CBOR

/// A value of a member.
package protocol MemberValue: MemberElement {
    static var type: MemberType { get }
    /// Throws an error with a path that begins at the item.
    init(item: CBOR.Value) throws(CBOR.AccessError)
    var item: CBOR.Value { get }
}

/// An element of an array that is a member's value; bytes make a byte string, everything else an array.
package protocol MemberElement {
    static var typeOfArray: MemberType { get }
    static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [Self]
    static func item(of array: [Self]) -> CBOR.Value
}

extension MemberElement where Self: MemberValue {
    package static var typeOfArray: MemberType { .list(type) }

    package static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [Self] {
        try item.elements(Self.init(item:))
    }

    // A key path would be made anew at each call, because the type is not known here.
    package static func item(of array: [Self]) -> CBOR.Value { .array(array.map { $0.item }) }
}
