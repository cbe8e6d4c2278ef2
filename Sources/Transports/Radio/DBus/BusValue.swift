/// A value of D-Bus's type system, without file descriptors (D-Bus Specification, "Type System").
package indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case path(String)
    case signature(String)
    /// An array of bytes.
    case bytes([UInt8])
    /// An array of the elements' signature and the elements.
    case array(String, [BusValue])
    /// A dictionary of the signatures of key and value, and its entries.
    case dictionary(String, String, [Entry])
    case structure([BusValue])
    case variant(BusValue)

    /// An entry of a dictionary.
    package struct Entry: Hashable, Sendable {
        package let key: BusValue
        package let value: BusValue

        package init(key: BusValue, value: BusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The signature of a dictionary from names to variants.
    static let propertiesSignature = "a{sv}"

    /// A dictionary from names to variants, in the order of the names.
    package static func properties(_ values: [String: BusValue]) -> BusValue {
        .dictionary(
            "s", "v",
            values.sorted { $0.key < $1.key }.map { Entry(key: .string($0.key), value: .variant($0.value)) })
    }

    /// An array of strings.
    package static func strings(_ values: [String]) -> BusValue { .array("s", values.map(BusValue.string)) }

    /// The value's signature.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }
}

extension BusValue {
    /// The text of a string; nil for another type.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The text of an object path; nil for another type.
    package var pathText: String? { if case .path(let text) = self { text } else { nil } }

    /// The truth value; nil for another type.
    package var truth: Bool? { if case .bool(let truth) = self { truth } else { nil } }

    /// The bytes of an array of bytes; nil for another type.
    package var byteArray: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    /// The strings of an array of strings; nil for another type.
    package var texts: [String]? {
        guard case .array("s", let elements) = self else { return nil }
        return elements.compactMap(\.text)
    }

    /// The values of a dictionary from strings to variants, without the variants; nil for another type.
    package var propertyValues: [String: BusValue]? {
        guard case .dictionary("s", "v", let entries) = self else { return nil }
        return entries.reduce(into: [:]) { values, entry in
            if case .string(let key) = entry.key, case .variant(let value) = entry.value { values[key] = value }
        }
    }

    /// The interfaces of an object with their properties, a dictionary `a{sa{sv}}`; nil for another type.
    package var interfaceValues: [String: [String: BusValue]]? {
        guard case .dictionary("s", Self.propertiesSignature, let entries) = self else { return nil }
        return entries.reduce(into: [:]) { values, entry in
            if case .string(let key) = entry.key { values[key] = entry.value.propertyValues }
        }
    }
}
