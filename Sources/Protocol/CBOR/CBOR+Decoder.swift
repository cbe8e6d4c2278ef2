extension CBOR {
    /// The input a reader accepts.
    public struct DecodingOptions: Hashable, Sendable {
        /// The deepest nesting of arrays and maps; 1 is a flat array or map.
        public var nestingLimit: Int
        /// Whether integers, lengths and tags must use the fewest bytes.
        public var requiresMinimalIntegers: Bool
        /// Whether map keys must be in canonical order.
        public var requiresSortedKeys: Bool
        /// Whether tags are accepted.
        public var allowsTags: Bool
        /// Whether floating-point numbers are accepted.
        public var allowsFloats: Bool

        /// CTAP2 messages: everything canonical, no tags, at most four levels (CTAP 2.3 §8).
        ///
        /// A floating-point number is well-formed there and merely of the wrong type, so the reader lets it pass and
        /// the message refuses it.
        public static let ctap2 = DecodingOptions(nestingLimit: 4)

        /// CTAP2 messages to phones over hybrid: prf's inputs for named credentials are one level deeper.
        public static let hybrid = DecodingOptions(nestingLimit: 5)

        /// Attestation objects and other stored structures: canonical, but compound statements nest deeper.
        public static let attestation = DecodingOptions(nestingLimit: 8)

        /// Well-formed CBOR of definite length from peers that are not canonical; keys must still be unique.
        public static let lenient = DecodingOptions(
            nestingLimit: 16, requiresMinimalIntegers: false, requiresSortedKeys: false, allowsTags: true)

        /// Options; by default canonical, without tags, with floating-point numbers.
        public init(
            nestingLimit: Int, requiresMinimalIntegers: Bool = true, requiresSortedKeys: Bool = true,
            allowsTags: Bool = false, allowsFloats: Bool = true
        ) {
            (self.nestingLimit, self.requiresMinimalIntegers) = (nestingLimit, requiresMinimalIntegers)
            (self.requiresSortedKeys, self.allowsTags) = (requiresSortedKeys, allowsTags)
            self.allowsFloats = allowsFloats
        }
    }

    /// Reads exactly one item that fills the input.
    ///
    /// - Throws: ``DecodingError`` with the rule broken and its offset.
    public static func decode(_ bytes: [UInt8], options: DecodingOptions = .ctap2) throws(DecodingError) -> Value {
        try decode(bytes, from: 0, options: options)
    }

    /// Reads exactly one item that fills the input from an offset on.
    ///
    /// - Throws: ``DecodingError`` with the rule broken and its offset.
    public static func decode(
        _ bytes: [UInt8], from start: Int, options: DecodingOptions = .ctap2
    ) throws(DecodingError) -> Value {
        let (value, end) = try decodePrefix(bytes, from: start, options: options)
        guard end == bytes.count else { throw DecodingError(rule: .trailingBytes, offset: end) }
        return value
    }

    /// Reads one item and returns its end, for structures that concatenate items such as authenticator data.
    ///
    /// - Returns: the item and the offset of the first byte after it.
    /// - Throws: ``DecodingError`` with the rule broken and its offset.
    public static func decodePrefix(
        _ bytes: [UInt8], from start: Int, options: DecodingOptions = .ctap2
    ) throws(DecodingError) -> (value: Value, end: Int) {
        var reader = Reader(bytes: bytes, position: max(0, start), options: options)
        let value = try reader.readItem(depth: 0)
        return (value, reader.position)
    }
}

/// A cursor over the input.
///
/// Every length is checked against the bytes left before anything is allocated for it.
private struct Reader {
    let bytes: [UInt8]
    var position: Int
    let options: CBOR.DecodingOptions

    typealias Failure = CBOR.DecodingError

    private var remaining: Int { bytes.count - position }

    mutating func readItem(depth: Int) throws(Failure) -> CBOR.Value {
        let start = position
        guard remaining > 0 else { throw Failure(rule: .truncated, offset: start) }
        let initial = bytes[position]
        position += 1
        let information = initial & 0x1F
        let major = initial >> 5
        if major == 7 { return try readSimpleOrFloat(information, start: start) }

        let argument = try readArgument(information, start: start)
        switch major {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(Array(bytes[try readString(argument, start: start)]))
        case 3:
            let range = try readString(argument, start: start)
            guard let text = Self.text(bytes, range) else { throw Failure(rule: .invalidUTF8, offset: start) }
            return .text(text)
        case 4: return try readArray(argument, depth: depth, start: start)
        case 5: return try readMap(argument, depth: depth, start: start)
        default:
            guard options.allowsTags else { throw Failure(rule: .tagNotAllowed, offset: start) }
            // A tag nests an item too: without the limit a run of tags would exhaust the stack.
            guard depth < options.nestingLimit else { throw Failure(rule: .nestingTooDeep, offset: start) }
            return .tagged(argument, try readItem(depth: depth + 1))
        }
    }

    /// The text in UTF-8 in a range; nil for other bytes.
    private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        #if canImport(Darwin)
        // Spans of UTF-8 exist on the newest systems only.
        return String(validating: bytes[range], as: UTF8.self)
        #else
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else { return nil }
        return String(copying: text)
        #endif
    }

    private mutating func readArgument(_ information: UInt8, start: Int) throws(Failure) -> UInt64 {
        let width: Int
        switch information {
        case 0..<24: return UInt64(information)
        case 24: width = 1
        case 25: width = 2
        case 26: width = 4
        case 27: width = 8
        case 31: throw Failure(rule: .indefiniteLength, offset: start)
        default: throw Failure(rule: .reservedAdditionalInformation, offset: start)
        }
        let value = try readBigEndian(width, start: start)
        if options.requiresMinimalIntegers {
            let smallest: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
            guard value >= smallest else { throw Failure(rule: .nonMinimalInteger, offset: start) }
        }
        return value
    }

    private mutating func readBigEndian(_ width: Int, start: Int) throws(Failure) -> UInt64 {
        guard remaining >= width else { throw Failure(rule: .truncated, offset: start) }
        var value: UInt64 = 0
        for byte in bytes[position..<position + width] { value = value << 8 | UInt64(byte) }
        position += width
        return value
    }

    private mutating func readString(_ length: UInt64, start: Int) throws(Failure) -> Range<Int> {
        guard let count = Int(exactly: length), count <= remaining else {
            throw Failure(rule: .truncated, offset: start)
        }
        defer { position += count }
        return position..<position + count
    }

    private mutating func readArray(_ length: UInt64, depth: Int, start: Int) throws(Failure) -> CBOR.Value {
        guard depth < options.nestingLimit else { throw Failure(rule: .nestingTooDeep, offset: start) }
        // Each element takes at least one byte, so a larger count is an error.
        guard let count = Int(exactly: length), count <= remaining else {
            throw Failure(rule: .truncated, offset: start)
        }
        var items: [CBOR.Value] = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try readItem(depth: depth + 1)) }
        return .array(items)
    }

    private mutating func readMap(_ length: UInt64, depth: Int, start: Int) throws(Failure) -> CBOR.Value {
        guard depth < options.nestingLimit else { throw Failure(rule: .nestingTooDeep, offset: start) }
        guard let count = Int(exactly: length), count <= remaining / 2 else {
            throw Failure(rule: .truncated, offset: start)
        }
        var map = CBOR.Map(minimumCapacity: min(count, 16))
        var formerRange: Range<Int>?
        for _ in 0..<count {
            let keyStart = position
            let key = try readItem(depth: depth + 1)
            let keyRange = keyStart..<position
            if options.requiresSortedKeys {
                switch order(map.lastKey, formerRange, key, keyRange) {
                case .ascending: break
                case .equal: throw Failure(rule: .duplicateKey, offset: keyStart)
                case .descending:
                    // An unsorted key may also be a duplicate; the duplicate takes precedence.
                    let rule: CBOR.Rule = map[key] == nil ? .unsortedKeys : .duplicateKey
                    throw Failure(rule: rule, offset: keyStart)
                }
            } else if map[key] != nil {
                throw Failure(rule: .duplicateKey, offset: keyStart)
            }
            formerRange = keyRange
            let value = try readItem(depth: depth + 1)
            // The order of the bytes is the canonical order of the keys only if the integers are minimal.
            if options.requiresSortedKeys && options.requiresMinimalIntegers {
                map.append(next: key, value)
            } else {
                map.append(key, value)
            }
        }
        return .map(map)
    }

    /// The order of two keys, ascending for a map's first: of the items where that decides, otherwise of their bytes.
    private func order(
        _ former: CBOR.Value?, _ formerRange: Range<Int>?, _ key: CBOR.Value, _ range: Range<Int>
    ) -> CBOR.Order {
        guard let former, let formerRange else { return .ascending }
        return switch (former, key) {
        case (.unsigned(let former), .unsigned(let key)) where options.requiresMinimalIntegers && former < key:
            .ascending
        case (.text(let former), .text(let key)) where former.utf8.count < key.utf8.count: .ascending
        default: CBOR.canonicalOrder(bytes[formerRange], bytes[range])
        }
    }

    private mutating func readSimpleOrFloat(_ information: UInt8, start: Int) throws(Failure) -> CBOR.Value {
        switch information {
        case 0..<20: return .simple(information)
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        case 23: return .undefined
        case 24:
            let value = UInt8(try readBigEndian(1, start: start))
            guard value >= 32 else { throw Failure(rule: .invalidSimpleValue, offset: start) }
            return .simple(value)
        case 25...27:
            guard options.allowsFloats else { throw Failure(rule: .floatNotAllowed, offset: start) }
            let bits = try readBigEndian(1 << Int(information - 24), start: start)
            switch information {
            case 25: return .float16(bits: UInt16(bits))
            case 26: return .float32(bits: UInt32(bits))
            default: return .float64(bits: bits)
            }
        case 31: throw Failure(rule: .indefiniteLength, offset: start)
        default: throw Failure(rule: .reservedAdditionalInformation, offset: start)
        }
    }
}
