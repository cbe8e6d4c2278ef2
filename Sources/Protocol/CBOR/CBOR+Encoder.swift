extension CBOR {
    /// The order of map entries in an encoder.
    public enum MapOrdering: Sendable {
        /// CTAP2 canonical order: by major type, then by length, then byte by byte.
        case canonical
        /// The order the entries were given in, which may break the rules: for devices with deliberate errors.
        case asGiven
    }

    /// Writes an item in CTAP2 canonical form: shortest integers and lengths, definite lengths, sorted keys.
    public static func encode(_ value: Value, ordering: MapOrdering = .canonical) -> [UInt8] {
        var bytes: [UInt8] = []
        // Most messages fit, so that the bytes are moved once at most.
        bytes.reserveCapacity(256)
        append(value, to: &bytes, ordering: ordering)
        return bytes
    }

    /// Appends an item to bytes.
    public static func append(_ value: Value, to bytes: inout [UInt8], ordering: MapOrdering = .canonical) {
        switch value {
        case .unsigned(let value): appendHead(0, value, to: &bytes)
        case .negative(let value): appendHead(1, value, to: &bytes)
        case .bytes(let content):
            appendHead(2, UInt64(content.count), to: &bytes)
            bytes += content
        case .text(let text):
            appendHead(3, UInt64(text.utf8.count), to: &bytes)
            bytes.append(contentsOf: text.utf8)
        case .array(let items):
            appendHead(4, UInt64(items.count), to: &bytes)
            for item in items { append(item, to: &bytes, ordering: ordering) }
        case .map(let map): append(map, to: &bytes, ordering: ordering)
        case .tagged(let tag, let item):
            appendHead(6, tag, to: &bytes)
            append(item, to: &bytes, ordering: ordering)
        case .bool(let flag): bytes.append(flag ? 0xF5 : 0xF4)
        case .null: bytes.append(0xF6)
        case .undefined: bytes.append(0xF7)
        case .simple(let value): appendHead(7, UInt64(value), to: &bytes)
        case .float16(let bits): appendFixed(0xF9, bits, to: &bytes)
        case .float32(let bits): appendFixed(0xFA, bits, to: &bytes)
        case .float64(let bits): appendFixed(0xFB, bits, to: &bytes)
        }
    }

    private static func append(_ map: Map, to bytes: inout [UInt8], ordering: MapOrdering) {
        appendHead(5, UInt64(map.count), to: &bytes)
        let entries = ordering == .canonical ? map.canonicalEntries : map.givenEntries
        for entry in entries {
            append(entry.key, to: &bytes, ordering: ordering)
            append(entry.value, to: &bytes, ordering: ordering)
        }
    }

    /// Whether a map key precedes another (CTAP 2.3 §8); the usual kinds are compared without encoding them.
    static func canonicallyPrecedes(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        // Of one major type the shorter form is the smaller number.
        case (.unsigned(let left), .unsigned(let right)), (.negative(let left), .negative(let right)): left < right
        case (.unsigned, .negative), (.unsigned, .text), (.negative, .text): true
        case (.negative, .unsigned), (.text, .unsigned), (.text, .negative): false
        case (.text(let left), .text(let right)):
            left.utf8.count == right.utf8.count
                ? left.utf8.lexicographicallyPrecedes(right.utf8) : left.utf8.count < right.utf8.count
        default: canonicalOrder(encode(left)[...], encode(right)[...]) == .ascending
        }
    }

    private static func appendHead(_ major: UInt8, _ argument: UInt64, to bytes: inout [UInt8]) {
        let type = major << 5
        switch argument {
        case 0..<24: bytes.append(type | UInt8(argument))
        case 24...0xFF: appendFixed(type | 24, UInt8(argument), to: &bytes)
        case 0x100...0xFFFF: appendFixed(type | 25, UInt16(argument), to: &bytes)
        case 0x1_0000...0xFFFF_FFFF: appendFixed(type | 26, UInt32(argument), to: &bytes)
        default: appendFixed(type | 27, argument, to: &bytes)
        }
    }

    private static func appendFixed(_ initial: UInt8, _ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        bytes.append(initial)
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    enum Order {
        case ascending, equal, descending
    }

    /// The CTAP2 order of two encoded map keys: major type first, then length, then bytes (CTAP 2.3 §8).
    static func canonicalOrder(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Order {
        let leftMajor = (left.first ?? 0) >> 5
        let rightMajor = (right.first ?? 0) >> 5
        if leftMajor != rightMajor { return leftMajor < rightMajor ? .ascending : .descending }
        if left.count != right.count { return left.count < right.count ? .ascending : .descending }
        if left == right { return .equal }
        return left.lexicographicallyPrecedes(right) ? .ascending : .descending
    }
}
