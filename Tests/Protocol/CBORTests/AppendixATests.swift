import CBOR
import TestSupport
import Testing

/// The examples of RFC 8949, Appendix A.
struct AppendixATests {
    static let examples: [(hex: String, value: CBOR.Value)] = [
        ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100), ("1903e8", 1000),
        ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000),
        ("1bffffffffffffffff", .unsigned(.max)), ("3bffffffffffffffff", .negative(.max)),
        ("20", -1), ("29", -10), ("3863", -100), ("3903e7", -1000),
        ("f90000", .float16(bits: 0)), ("f98000", .float16(bits: 0x8000)), ("f93c00", .float16(bits: 0x3C00)),
        ("fb3ff199999999999a", .float64(bits: (1.1).bitPattern)), ("f93e00", .float16(bits: 0x3E00)),
        ("f97bff", .float16(bits: 0x7BFF)), ("fa47c35000", .float32(bits: Float(100000).bitPattern)),
        ("fa7f7fffff", .float32(bits: Float.greatestFiniteMagnitude.bitPattern)),
        ("fb7e37e43c8800759c", .float64(bits: (1.0e+300).bitPattern)), ("f90001", .float16(bits: 1)),
        ("f90400", .float16(bits: 0x0400)), ("f9c400", .float16(bits: 0xC400)),
        ("fbc010666666666666", .float64(bits: (-4.1).bitPattern)), ("f97c00", .float16(bits: 0x7C00)),
        ("f97e00", .float16(bits: 0x7E00)), ("f9fc00", .float16(bits: 0xFC00)),
        ("fa7f800000", .float32(bits: Float.infinity.bitPattern)), ("fa7fc00000", .float32(bits: 0x7FC0_0000)),
        ("faff800000", .float32(bits: (-Float.infinity).bitPattern)),
        ("fb7ff0000000000000", .float64(bits: Double.infinity.bitPattern)),
        ("fb7ff8000000000000", .float64(bits: 0x7FF8_0000_0000_0000)),
        ("fbfff0000000000000", .float64(bits: (-Double.infinity).bitPattern)),
        ("f4", false), ("f5", true), ("f6", .null), ("f7", .undefined), ("f0", .simple(16)), ("f8ff", .simple(255)),
        ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", ""), ("6161", "a"), ("6449455446", "IETF"),
        ("62225c", "\"\\"), ("62c3bc", "\u{FC}"), ("63e6b0b4", "\u{6C34}"), ("64f0908591", "\u{10151}"),
        ("80", []), ("83010203", [1, 2, 3]), ("8301820203820405", [1, [2, 3], [4, 5]]),
        (
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
            .array((1...25).map { .integer($0) })
        ),
        ("a0", [:]), ("a201020304", [1: 2, 3: 4]), ("a26161016162820203", ["a": 1, "b": [2, 3]]),
        ("826161a161626163", ["a", ["b": "c"]]),
        ("a56161614161626142616361436164614461656145", ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"]),
    ]

    @Test(arguments: examples)
    func anExampleDecodesToItsValueAndBack(hex: String, value: CBOR.Value) throws {
        #expect(try CBOR.decode([UInt8](hex: hex)) == value)
        #expect(CBOR.encode(value).hex == hex)
    }

    static let tagged: [(hex: String, value: CBOR.Value)] = [
        ("c249010000000000000000", .tagged(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
        ("c349010000000000000000", .tagged(3, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
        ("c074323031332d30332d32315432303a30343a30305a", .tagged(0, "2013-03-21T20:04:00Z")),
        ("c11a514b67b0", .tagged(1, 1_363_896_240)),
        ("c1fb41d452d9ec200000", .tagged(1, .float64(bits: (1_363_896_240.5).bitPattern))),
        ("d74401020304", .tagged(23, .bytes([1, 2, 3, 4]))),
        ("d818456449455446", .tagged(24, .bytes([0x64, 0x49, 0x45, 0x54, 0x46]))),
        ("d82076687474703a2f2f7777772e6578616d706c652e636f6d", .tagged(32, "http://www.example.com")),
    ]

    @Test(arguments: tagged)
    func aTaggedExampleIsForTheLenientReaderOnly(hex: String, value: CBOR.Value) throws {
        let bytes = [UInt8](hex: hex)
        #expect(try CBOR.decode(bytes, options: .lenient) == value)
        #expect(CBOR.encode(value) == bytes)
        #expect(throws: CBOR.DecodingError(rule: .tagNotAllowed, offset: 0)) { try CBOR.decode(bytes) }
    }

    static let indefinite: [(hex: String, offset: Int)] = [
        ("5f42010243030405ff", 0), ("7f657374726561646d696e67ff", 0), ("9fff", 0), ("9f018202039f0405ffff", 0),
        ("9f01820203820405ff", 0), ("83018202039f0405ff", 5), ("83019f0203ff820405", 2),
        ("9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", 0), ("bf61610161629f0203ffff", 0),
        ("826161bf61626163ff", 3), ("bf6346756ef563416d7421ff", 0),
    ]

    @Test(arguments: indefinite)
    func anExampleOfIndefiniteLengthIsRefusedByEveryReader(hex: String, offset: Int) {
        for options in [CBOR.DecodingOptions.ctap2, .attestation, .lenient] {
            #expect(throws: CBOR.DecodingError(rule: .indefiniteLength, offset: offset)) {
                try CBOR.decode([UInt8](hex: hex), options: options)
            }
        }
    }
}
