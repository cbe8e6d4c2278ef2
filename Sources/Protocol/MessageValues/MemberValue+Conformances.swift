package import CBOR
package import COSE
package import WebAuthn

extension UInt8: MemberElement {
    package static var typeOfArray: MemberType { .bytes }
    package static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [UInt8] { try item.asBytes("") }
    package static func item(of array: [UInt8]) -> CBOR.Value { .bytes(array) }
}

extension Array: MemberElement, MemberValue where Element: MemberElement {
    package static var type: MemberType { Element.typeOfArray }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self = try Element.array(of: item) }
    package var item: CBOR.Value { Element.item(of: self) }
}

extension Dictionary: MemberElement, MemberValue where Key == String, Value: MemberValue {
    package static var type: MemberType { .dictionary(Value.type) }

    package init(item: CBOR.Value) throws(CBOR.AccessError) {
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

    package var item: CBOR.Value {
        var map = CBOR.Map()
        for (key, value) in self { map[key] = value.item }
        return .map(map)
    }
}

extension Int: MemberValue {
    package static var type: MemberType { .unsigned }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asUnsigned("") }
    package var item: CBOR.Value { .integer(self) }
}

extension Bool: MemberValue {
    package static var type: MemberType { .bool }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asBool("") }
    package var item: CBOR.Value { .bool(self) }
}

extension String: MemberValue {
    package static var type: MemberType { .text }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asText("") }
    package var item: CBOR.Value { .text(self) }
}

extension COSE.Algorithm: MemberValue {
    package static var type: MemberType { .algorithm }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self.init(rawValue: try item.asInteger("")) }
    package var item: CBOR.Value { .integer(rawValue) }
}

extension AAGUID: MemberValue {
    package static var type: MemberType { .aaguid }

    package init(item: CBOR.Value) throws(CBOR.AccessError) {
        guard let aaguid = AAGUID(bytes: try item.asBytes("")) else {
            throw CBOR.AccessError(problem: .outOfRange, path: "")
        }
        self = aaguid
    }

    package var item: CBOR.Value { .bytes(bytes) }
}

extension AuthenticatorTransport: MemberValue {
    package static var type: MemberType { .text }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self.init(try item.asText("")) }
    package var item: CBOR.Value { .text(rawValue) }
}

extension CBOR.Map: MemberValue {
    package static var type: MemberType { .item }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { self = try item.asMap("") }
    package var item: CBOR.Value { .map(self) }
}

extension CBOR.Value: MemberValue {
    package static var type: MemberType { .item }
    package init(item: CBOR.Value) { self = item }
    package var item: CBOR.Value { self }
}
