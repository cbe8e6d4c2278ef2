import CBOR
import TestSupport
import Testing

/// Every rule of the CTAP2 canonical CBOR encoding form, broken in every way its clause has.
struct MalformedInputTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: CBOR.Rule
        let offset: Int
        let hex: String
        var options = CBOR.DecodingOptions.ctap2

        var testDescription: String { "\(hex.prefix(60)) → \(rule.rawValue) at \(offset)" }
    }

    private static let strictWithTags = CBOR.DecodingOptions(nestingLimit: 4, allowsTags: true)
    private static let withoutFloats = CBOR.DecodingOptions(nestingLimit: 4, allowsFloats: false)

    static let rows: [Row] = [
        Row(rule: .truncated, offset: 0, hex: ""),
        Row(rule: .truncated, offset: 0, hex: "18"),
        Row(rule: .truncated, offset: 0, hex: "19 01"),
        Row(rule: .truncated, offset: 0, hex: "1a 000100"),
        Row(rule: .truncated, offset: 0, hex: "1b 00000001000000"),
        Row(rule: .truncated, offset: 0, hex: "38"),
        Row(rule: .truncated, offset: 0, hex: "42 01"),
        Row(rule: .truncated, offset: 0, hex: "61"),
        Row(rule: .truncated, offset: 0, hex: "58"),
        Row(rule: .truncated, offset: 0, hex: "81"),
        Row(rule: .truncated, offset: 0, hex: "82 01"),
        Row(rule: .truncated, offset: 2, hex: "82 01 42 00"),
        Row(rule: .truncated, offset: 4, hex: "82 82 01 02"),
        Row(rule: .truncated, offset: 0, hex: "a1 01"),
        Row(rule: .truncated, offset: 2, hex: "a1 01 18"),
        Row(rule: .truncated, offset: 0, hex: "a2 01 02 03"),
        Row(rule: .truncated, offset: 0, hex: "f8"),
        Row(rule: .truncated, offset: 0, hex: "f9 00"),
        Row(rule: .truncated, offset: 0, hex: "fa 000000"),
        Row(rule: .truncated, offset: 0, hex: "fb 00000000000000"),
        Row(rule: .truncated, offset: 1, hex: "c1", options: .lenient),

        Row(rule: .trailingBytes, offset: 1, hex: "00 00"),
        Row(rule: .trailingBytes, offset: 1, hex: "a0 a0"),
        Row(rule: .trailingBytes, offset: 1, hex: "f6 ff"),
        Row(rule: .trailingBytes, offset: 3, hex: "a1 01 02 03"),
        Row(rule: .trailingBytes, offset: 3, hex: "42 01 02 03", options: .lenient),

        Row(rule: .nonMinimalInteger, offset: 0, hex: "18 00"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "18 17"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "19 00ff"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "1a 0000ffff"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "1b 00000000ffffffff"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "38 17"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "3b 00000000ffffffff"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "58 01 00"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "79 0001 61"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "98 00"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "b8 00"),
        Row(rule: .nonMinimalInteger, offset: 2, hex: "82 01 18 00"),
        Row(rule: .nonMinimalInteger, offset: 1, hex: "a1 18 01 00"),
        Row(rule: .nonMinimalInteger, offset: 0, hex: "d8 17 00", options: strictWithTags),

        Row(rule: .indefiniteLength, offset: 0, hex: "5f 41 00 ff"),
        Row(rule: .indefiniteLength, offset: 0, hex: "7f ff"),
        Row(rule: .indefiniteLength, offset: 0, hex: "9f ff"),
        Row(rule: .indefiniteLength, offset: 0, hex: "bf ff"),
        Row(rule: .indefiniteLength, offset: 0, hex: "ff"),
        Row(rule: .indefiniteLength, offset: 1, hex: "81 ff"),
        Row(rule: .indefiniteLength, offset: 0, hex: "1f"),
        Row(rule: .indefiniteLength, offset: 0, hex: "3f"),
        Row(rule: .indefiniteLength, offset: 0, hex: "df 00", options: .lenient),

        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "1c"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "3d"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "5e"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "7c"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "9d"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "be"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "dc"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "fc"),
        Row(rule: .reservedAdditionalInformation, offset: 0, hex: "fd"),
        Row(rule: .reservedAdditionalInformation, offset: 2, hex: "a1 01 fe", options: .lenient),

        Row(rule: .invalidSimpleValue, offset: 0, hex: "f8 00"),
        Row(rule: .invalidSimpleValue, offset: 0, hex: "f8 18"),
        Row(rule: .invalidSimpleValue, offset: 0, hex: "f8 1f"),
        Row(rule: .invalidSimpleValue, offset: 1, hex: "81 f8 15", options: .lenient),

        Row(rule: .invalidUTF8, offset: 0, hex: "61 80"),
        Row(rule: .invalidUTF8, offset: 0, hex: "61 ff"),
        Row(rule: .invalidUTF8, offset: 0, hex: "61 c3"),
        Row(rule: .invalidUTF8, offset: 0, hex: "62 c328"),
        Row(rule: .invalidUTF8, offset: 0, hex: "62 c080"),
        Row(rule: .invalidUTF8, offset: 0, hex: "63 eda080"),
        Row(rule: .invalidUTF8, offset: 0, hex: "64 f4908080"),
        Row(rule: .invalidUTF8, offset: 1, hex: "a1 61 80 00"),
        Row(rule: .invalidUTF8, offset: 2, hex: "82 00 61 fe", options: .lenient),

        Row(rule: .unsortedKeys, offset: 3, hex: "a2 02 00 01 00"),
        Row(rule: .unsortedKeys, offset: 3, hex: "a2 20 00 01 00"),
        Row(rule: .unsortedKeys, offset: 3, hex: "a2 21 00 20 00"),
        Row(rule: .unsortedKeys, offset: 4, hex: "a2 1818 00 17 00"),
        Row(rule: .unsortedKeys, offset: 4, hex: "a2 6162 00 6161 00"),
        Row(rule: .unsortedKeys, offset: 5, hex: "a2 626161 00 6162 00"),
        Row(rule: .unsortedKeys, offset: 4, hex: "a2 6161 00 01 00"),
        Row(rule: .unsortedKeys, offset: 3, hex: "a2 60 00 40 00"),
        Row(rule: .unsortedKeys, offset: 3, hex: "a2 f5 00 f4 00"),
        Row(rule: .unsortedKeys, offset: 5, hex: "a1 01 a2 02 00 01 00"),
        Row(rule: .unsortedKeys, offset: 7, hex: "a2 64 65cc81 31 00 62 c3a9 00"),

        Row(rule: .duplicateKey, offset: 3, hex: "a2 01 00 01 00"),
        Row(rule: .duplicateKey, offset: 4, hex: "a2 6161 00 6161 01"),
        Row(rule: .duplicateKey, offset: 5, hex: "a3 01 00 02 00 01 00"),
        Row(rule: .duplicateKey, offset: 4, hex: "81 a2 20 00 20 00"),
        Row(rule: .duplicateKey, offset: 5, hex: "a3 02 00 01 00 02 00", options: .lenient),
        Row(rule: .duplicateKey, offset: 3, hex: "a2 01 00 1801 00", options: .lenient),

        Row(rule: .nestingTooDeep, offset: 4, hex: "81 81 81 81 80"),
        Row(rule: .nestingTooDeep, offset: 4, hex: "81 81 81 81 a0"),
        Row(rule: .nestingTooDeep, offset: 8, hex: "a1 00 a1 00 a1 00 a1 00 a0"),
        Row(rule: .nestingTooDeep, offset: 4, hex: "a1 81 81 81 80 00"),
        Row(rule: .nestingTooDeep, offset: 4, hex: "c1 c1 c1 c1 c1 00", options: strictWithTags),
        Row(rule: .nestingTooDeep, offset: 8, hex: "81 81 81 81 81 81 81 81 80", options: .attestation),
        Row(rule: .nestingTooDeep, offset: 16, hex: String(repeating: "81", count: 16) + "80", options: .lenient),
        Row(rule: .nestingTooDeep, offset: 16, hex: String(repeating: "c1", count: 100_000), options: .lenient),

        Row(rule: .tagNotAllowed, offset: 0, hex: "c0 00"),
        Row(rule: .tagNotAllowed, offset: 0, hex: "d8 20 60"),
        Row(rule: .tagNotAllowed, offset: 1, hex: "81 c2 40"),
        Row(rule: .tagNotAllowed, offset: 2, hex: "a1 01 c1 00", options: .attestation),

        Row(rule: .floatNotAllowed, offset: 0, hex: "f9 0000", options: withoutFloats),
        Row(rule: .floatNotAllowed, offset: 1, hex: "81 fa 00000000", options: withoutFloats),
        Row(rule: .floatNotAllowed, offset: 2, hex: "a1 01 fb 0000000000000000", options: withoutFloats),
    ]

    @Test(arguments: rows)
    func aBrokenRuleIsNamedWithItsOffset(row: Row) {
        #expect(throws: CBOR.DecodingError(rule: row.rule, offset: row.offset)) {
            try CBOR.decode([UInt8](hex: row.hex), options: row.options)
        }
    }

    @Test(arguments: CBOR.Rule.allCases)
    func everyRuleHasSeveralRows(rule: CBOR.Rule) {
        #expect(Self.rows.count { $0.rule == rule } >= 2)
    }

    @Test func everyRuleExplainsItselfInItsOwnWords() {
        #expect(Set(CBOR.Rule.allCases.map(\.explanation)).count == CBOR.Rule.allCases.count)
        let error = CBOR.DecodingError(rule: .truncated, offset: 7)
        #expect(error.description == "the input ends inside an item, at byte 7")
    }

    @Test func everyTruncationOfAMessageIsRefusedAsTruncated() throws {
        let message: CBOR.Value = [
            1: .bytes(Array(0..<32)),
            2: ["id": "example.org", "name": "An example with \u{6C34}"],
            3: ["id": .bytes(Array(repeating: 7, count: 64)), "name": "alice", "displayName": ""],
            4: [["alg": -7, "type": "public-key"], ["alg": -257, "type": "public-key"]],
            6: ["credProtect": 3, "hmac-secret": true],
            7: ["rk": true, "uv": .null],
            9: 65536,
            10: .float64(bits: 1),
        ]
        let bytes = CBOR.encode(message)
        #expect(try CBOR.decode(bytes) == message)
        for end in bytes.indices {
            let error = #expect(throws: CBOR.DecodingError.self) { try CBOR.decode(Array(bytes[..<end])) }
            #expect(error?.rule == .truncated, "cut after \(end) bytes")
        }
    }

    @Test(arguments: [UInt8(2), 3, 4, 5], [UInt64(1) << 20, 1 << 31, 1 << 40, 1 << 62, .max >> 1, 1 << 63, .max])
    func aHugeDeclaredLengthIsRefusedBeforeAnythingIsAllocated(major: UInt8, length: UInt64) {
        var bytes = [major << 5 | 27] + withUnsafeBytes(of: length.bigEndian) { Array($0) }
        bytes += [0, 0, 0, 0]
        #expect(throws: CBOR.DecodingError(rule: .truncated, offset: 0)) {
            try CBOR.decode(bytes, options: .lenient)
        }
    }

    @Test func fourLevelsOfArraysAndMapsAreWithinTheLimit() throws {
        #expect(try CBOR.decode([UInt8](hex: "81 81 81 80")) == [[[[]]]])
        #expect(try CBOR.decode([UInt8](hex: "a1 00 a1 00 a1 00 a0")) == [0: [0: [0: [:]]]])
        let arrayInKey: CBOR.Value = [[[[]]]: 0]
        #expect(try CBOR.decode([UInt8](hex: "a1 81 81 80 00")) == arrayInKey)
        #expect(try CBOR.decode([UInt8](hex: "81 81 81 81 00"), options: .attestation) == [[[[0]]]])
    }

    @Test func aPrefixIsReadFromItsOffsetAndSaysWhereItEnds() throws {
        let bytes = [UInt8](hex: "ff a1 01 02 ff")
        let (value, end) = try CBOR.decodePrefix(bytes, from: 1)
        #expect(value == [1: 2])
        #expect(end == 4)
        #expect(throws: CBOR.DecodingError(rule: .indefiniteLength, offset: 4)) {
            try CBOR.decodePrefix(bytes, from: 4)
        }
    }

    @Test(arguments: [5, 6, 1000, Int.max])
    func aPrefixBeyondTheEndIsTruncated(start: Int) {
        #expect(throws: CBOR.DecodingError(rule: .truncated, offset: start)) {
            try CBOR.decodePrefix([UInt8](hex: "ff a1 01 02 ff"), from: start)
        }
    }
}
