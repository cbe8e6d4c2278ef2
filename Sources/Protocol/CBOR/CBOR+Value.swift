extension CBOR {
    /// One CBOR data item.
    ///
    /// Integers keep the whole range of CBOR (−2⁶⁴ … 2⁶⁴−1). Floating-point numbers keep the width and the bits they
    /// arrived with, because CTAP2's canonical form leaves their representation alone.
    public enum Value: Hashable, Sendable {
        /// Major type 0.
        case unsigned(UInt64)
        /// Major type 1; the number is −1 − the associated value.
        case negative(UInt64)
        /// Major type 2.
        case bytes([UInt8])
        /// Major type 3.
        case text(String)
        /// Major type 4.
        case array([Value])
        /// Major type 5.
        case map(Map)
        /// Major type 6: a tag number and the item it marks.
        indirect case tagged(UInt64, Value)
        /// `false` (0xF4) or `true` (0xF5).
        case bool(Bool)
        /// `null` (0xF6).
        case null
        /// `undefined` (0xF7).
        case undefined
        /// A simple value with no name: 0…19 or 32…255.
        case simple(UInt8)
        /// An IEEE 754 half-precision number, by its bits.
        case float16(bits: UInt16)
        /// An IEEE 754 single-precision number, by its bits.
        case float32(bits: UInt32)
        /// An IEEE 754 double-precision number, by its bits.
        case float64(bits: UInt64)

        /// Whether two items are the same data item.
        ///
        /// Texts are compared byte by byte (RFC 8949 §5.6.1): `String`'s equality treats canonically equivalent texts
        /// as equal, and a map can hold both as keys.
        public static func == (left: CBOR.Value, right: CBOR.Value) -> Bool {
            switch (left, right) {
            case (.unsigned(let left), .unsigned(let right)): left == right
            case (.negative(let left), .negative(let right)): left == right
            case (.bytes(let left), .bytes(let right)): left == right
            case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
            case (.array(let left), .array(let right)): left == right
            case (.map(let left), .map(let right)): left == right
            case (.tagged(let left, let leftItem), .tagged(let right, let rightItem)):
                left == right && leftItem == rightItem
            case (.bool(let left), .bool(let right)): left == right
            case (.null, .null), (.undefined, .undefined): true
            case (.simple(let left), .simple(let right)): left == right
            case (.float16(let left), .float16(let right)): left == right
            case (.float32(let left), .float32(let right)): left == right
            case (.float64(let left), .float64(let right)): left == right
            default: false
            }
        }
    }
}

extension CBOR.Value {
    /// An integer item of the right major type.
    public static func integer(_ value: Int) -> CBOR.Value {
        value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }

    /// An integer item of the right major type.
    public static func integer(_ value: some BinaryInteger) -> CBOR.Value {
        value < 0 ? .negative(UInt64(clamping: -1 - value)) : .unsigned(UInt64(clamping: value))
    }

    /// The kind of this item, for messages.
    public var kind: CBOR.Kind {
        switch self {
        case .unsigned: .unsignedInteger
        case .negative: .negativeInteger
        case .bytes: .byteString
        case .text: .textString
        case .array: .array
        case .map: .map
        case .tagged: .tag
        case .bool: .boolean
        case .null: .null
        case .undefined: .undefined
        case .simple: .simpleValue
        case .float16, .float32, .float64: .float
        }
    }
}

extension CBOR {
    /// The kinds of data item, for messages.
    public enum Kind: String, Sendable {
        case unsignedInteger = "unsigned integer"
        case negativeInteger = "negative integer"
        case integer = "integer"
        case byteString = "byte string"
        case textString = "text string"
        case array
        case map
        case tag
        case boolean
        case null
        case undefined
        case simpleValue = "simple value"
        case float = "floating-point number"
    }
}

extension CBOR.Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// An integer item.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A text string.
    public init(stringLiteral value: String) { self = .text(value) }
    /// `false` or `true`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension CBOR.Value: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array of these items.
    public init(arrayLiteral elements: CBOR.Value...) { self = .array(elements) }

    /// A map with these entries; if a key occurs twice, the later entry is used.
    public init(dictionaryLiteral elements: (CBOR.Value, CBOR.Value)...) { self = .map(CBOR.Map(elements)) }
}

extension CBOR.Value: CustomStringConvertible {
    /// CBOR diagnostic notation (RFC 8949 §8), on one line.
    public var description: String {
        switch self {
        case .unsigned(let value): "\(value)"
        case .negative(let value): value == .max ? "-18446744073709551616" : "-\(value + 1)"
        case .bytes(let bytes): "h'\(CBOR.hex(bytes))'"
        case .text(let text): "\"\(CBOR.escaped(text))\""
        case .array(let items): "[\(items.map(\.description).joined(separator: ", "))]"
        case .map(let map): "{\(map.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
        case .tagged(let tag, let item): "\(tag)(\(item))"
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .undefined: "undefined"
        case .simple(let value): "simple(\(value))"
        case .float16(let bits): "float16(0x\(String(bits, radix: 16)))"
        case .float32(let bits): "\(Float(bitPattern: bits))_2"
        case .float64(let bits): "\(Double(bitPattern: bits))_3"
        }
    }
}

extension CBOR {
    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var digits = ""
        for byte in bytes {
            if byte < 0x10 { digits += "0" }
            digits += String(byte, radix: 16)
        }
        return digits
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default:
                result += scalar.value < 0x20 ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
        return result
    }
}
