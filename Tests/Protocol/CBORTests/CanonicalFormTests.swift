import CBOR
import TestSupport
import Testing

/// The one way to write each item (CTAP 2.3 §8, "CTAP2 canonical CBOR encoding form").
struct CanonicalFormTests {
    /// An argument at the edge of a width, and the bytes it takes after the initial one.
    static let edges: [(argument: UInt64, width: Int)] = [
        (0, 0), (1, 0), (22, 0), (23, 0), (24, 1), (25, 1), (254, 1), (255, 1), (256, 2), (257, 2),
        (65_534, 2), (65_535, 2), (65_536, 4), (65_537, 4), (0xFFFF_FFFE, 4), (0xFFFF_FFFF, 4),
        (0x1_0000_0000, 8), (0x1_0000_0001, 8), (UInt64(Int64.max), 8), (UInt64(Int64.max) + 1, 8),
        (.max - 1, 8), (.max, 8),
    ]

    @Test(arguments: edges)
    func anIntegerTakesTheFewestBytesAndComesBack(argument: UInt64, width: Int) throws {
        for value in [CBOR.Value.unsigned(argument), .negative(argument)] {
            let bytes = CBOR.encode(value)
            #expect(bytes.count == 1 + width)
            #expect(try CBOR.decode(bytes) == value)
        }
        #expect(CBOR.encode(.tagged(argument, 0)).count == 2 + width)
    }

    @Test(arguments: [(0, 1), (23, 1), (24, 2), (255, 2), (256, 3), (65_535, 3), (65_536, 5)])
    func aLengthTakesTheFewestBytes(length: Int, head: Int) throws {
        let zeros = [UInt8](repeating: 0, count: length)
        let values: [CBOR.Value] = [
            .bytes(zeros), .text(String(repeating: "x", count: length)), .array(zeros.map { .integer($0) }),
        ]
        for value in values {
            let bytes = CBOR.encode(value)
            #expect(bytes.count == head + length)
            #expect(try CBOR.decode(bytes) == value)
        }
    }

    @Test func aMapOfEveryCountUpToTheNextWidthRoundTrips() throws {
        var map = CBOR.Map()
        for key in 0..<300 {
            map[key] = .integer(-key)
            #expect(try CBOR.decode(CBOR.encode(.map(map))) == .map(map))
        }
    }

    /// Keys in canonical order: by major type, then by length, then byte by byte.
    static let orderedKeys: [CBOR.Value] = [
        0, 1, 10, 23, 24, 100, 255, 256, 65_536, .unsigned(.max),
        -1, -10, -24, -25, -100, -257, .negative(.max),
        .bytes([]), .bytes([0]), .bytes([0xFF]), .bytes([0, 0]), .bytes([0, 1]), .bytes([1, 0]),
        "", "a", "b", "z", "aa", "ab", "\u{FC}", "aaa", "\u{6C34}",
        .array([]), .array([0]), .array(["a"]),
        .map([:]), .map([0: 0]),
        false, true, .null, .undefined, .simple(32), .simple(255), .float16(bits: 0),
    ]

    @Test func anyTwoKeysHaveTheOrderOfTheSpecification() throws {
        for (first, earlier) in Self.orderedKeys.enumerated() {
            for later in Self.orderedKeys[(first + 1)...] {
                let sorted = CBOR.Map(uncheckedEntries: [(earlier, 1), (later, 2)])
                let reversed = CBOR.Map(uncheckedEntries: [(later, 2), (earlier, 1)])
                let canonical = CBOR.encode(.map(sorted), ordering: .asGiven)
                let wrong = CBOR.encode(.map(reversed), ordering: .asGiven)
                #expect(CBOR.encode(.map(reversed)) == canonical)
                #expect(try CBOR.decode(canonical) == .map(sorted))
                let offset = 2 + CBOR.encode(later).count
                #expect(throws: CBOR.DecodingError(rule: .unsortedKeys, offset: offset), "\(later) before \(earlier)") {
                    try CBOR.decode(wrong)
                }
                #expect(try CBOR.decode(wrong, options: .lenient) == .map(sorted))
            }
        }
    }

    @Test func theOptionsOfGetInfoAreSortedByLengthFirst() {
        let options: CBOR.Value = ["clientPin": false, "up": true, "plat": false, "rk": true, "uv": true]
        #expect(
            CBOR.encode(options).hex == "a5" + "62726bf5" + "627570f5" + "627576f5" + "64706c6174f4"
                + "69636c69656e7450696ef4")
    }

    @Test func nestedMapsAreSortedToo() {
        let value: CBOR.Value = [["b": [2: 0, 1: 0], "a": 0], [[2: 0, 1: 0]: 0]]
        #expect(CBOR.encode(value).hex == "82a2616100" + "6162a201000200" + "a1a20100020000")
    }

    @Test func theEncoderKeepsTheGivenOrderAndRepetitionsOnRequest() {
        let map = CBOR.Map(uncheckedEntries: [(2, 0), (1, 0), (2, 1)])
        #expect(CBOR.encode(.map(map), ordering: .asGiven).hex == "a3020001000201")
    }

    @Test func aFloatKeepsItsWidthAndItsBits() throws {
        let widths = ["f93c00", "fa3f800000", "fb3ff0000000000000", "f97e01", "faffc00001", "fb7ff0000000000001"]
        for hex in widths {
            let value = try CBOR.decode([UInt8](hex: hex))
            #expect(CBOR.encode(value).hex == hex)
            #expect(value.kind == .float)
        }
    }

    @Test func textsThatUnicodeCallsEquivalentAreDifferentKeys() throws {
        let composed: CBOR.Value = "\u{E9}"
        let decomposed: CBOR.Value = "e\u{301}"
        #expect(composed != decomposed)
        #expect(try CBOR.decode([UInt8](hex: "62c3a9")) != CBOR.decode([UInt8](hex: "6365cc81")))

        let bytes = [UInt8](hex: "a2 6365cc81 01 62c3a9 02")
        let map = try CBOR.decode(bytes, options: .lenient).asMap("the map")
        #expect(map[composed] == 2)
        #expect(map[decomposed] == 1)
        #expect(CBOR.encode(.map(map)).hex == "a262c3a9026365cc8101")
    }
}
