internal import CBOR
internal import Conformance

/// A way to encode a map that the message encoding does not allow.
struct EncodingDefect: Sendable {
    /// The last part of identifiers.
    let name: String
    /// The predicate of the parameters, for titles: "the parameters …".
    let title: String
    let clause: Clause
    /// A decoder must refuse malformed CBOR, and should refuse a form that is not canonical (CTAP 2.3 §8).
    let level: Level
    let encode: @Sendable (CBOR.Map) -> [UInt8]

    private init(
        _ name: String, _ title: String, _ clause: Clause = .ctap("8"), _ level: Level = .should,
        encode: @escaping @Sendable (CBOR.Map) -> [UInt8]
    ) {
        self.name = name
        self.title = title
        self.clause = clause
        self.level = level
        self.encode = encode
    }

    /// A defect in the value of a member that no command has.
    private static func inValue(
        _ name: String, _ title: String, _ clause: Clause = .ctap("8"), _ level: Level = .should, value: [UInt8]
    ) -> EncodingDefect {
        EncodingDefect(name, title, clause, level) { map in
            head(5, map.count + 1) + entries(map).joined() + unknownKey + value
        }
    }

    static let all = [
        EncodingDefect("unsortedKeys", "have their keys in the wrong order") { map in
            head(5, map.count) + entries(map).reversed().joined()
        },
        EncodingDefect("duplicateKey", "have a key twice") { map in
            head(5, map.count + 1) + entries(map).prefix(1).joined() + entries(map).joined()
        },
        EncodingDefect("longKey", "have a key in more bytes than it needs") { map in
            head(5, map.count) + [0x18] + entries(map).joined()
        },
        EncodingDefect("longMapLength", "have their length in more bytes than it needs") { map in
            [0xB8, UInt8(map.count)] + entries(map).joined()
        },
        EncodingDefect("indefiniteMap", "have no definite length") { map in [0xBF] + entries(map).joined() + [0xFF] },
        EncodingDefect("tag", "have a tag") { map in [0xD9, 0xD9, 0xF7] + CBOR.encode(.map(map)) },
        inValue("longInteger", "have an integer in more bytes than it needs", value: [0x18, 0x01]),
        inValue("longStringLength", "have a string's length in more bytes than it needs", value: [0x58, 0x01, 0x00]),
        inValue("indefiniteString", "have a string without a definite length", value: [0x5F, 0x41, 0x00, 0xFF]),
        inValue("indefiniteArray", "have an array without a definite length", value: [0x9F, 0x01, 0xFF]),
        inValue("taggedValue", "have a tag inside", value: [0xC1, 0x01]),
        inValue(
            "invalidUTF8", "have a text that is not UTF-8", Clause(.rfc8949, "3.1"), .should, value: [0x62, 0xC3, 0x28]),
        inValue(
            "reservedInformation", "have reserved additional information", Clause(.rfc8949, "3"), .must, value: [0x1C]),
        inValue("strayBreak", "have a break without a beginning", Clause(.rfc8949, "3.2.1"), .must, value: [0xFF]),
        inValue(
            "shortSimpleValue", "have a simple value below 32 in two bytes", Clause(.rfc8949, "3.3"), .must,
            value: [0xF8, 0x10]),
        inValue(
            "stringTooLong", "have a string that is longer than the message", Clause(.rfc8949, "3"), .must,
            value: [0x58, 0xFF, 0x00]),
        inValue(
            "arrayTooLong", "have an array that is longer than the message", Clause(.rfc8949, "3"), .must,
            value: [0x9A, 0x7F, 0xFF, 0xFF, 0xFF]),
        EncodingDefect("truncated", "end before their last byte", Clause(.rfc8949, "3"), .must) { map in
            CBOR.encode(.map(map)).dropLast()
        },
        EncodingDefect("missingEntry", "announce one member too many", Clause(.rfc8949, "3"), .must) { map in
            head(5, map.count + 1) + entries(map).joined()
        }, EncodingDefect("trailingByte", "are followed by another byte") { map in CBOR.encode(.map(map)) + [0x00] },
    ]

    /// 0x7E, which no command has.
    static let unknownKey: [UInt8] = [0x18, 0x7E]

    /// The head of an item with a small argument.
    private static func head(_ major: UInt8, _ count: Int) -> [UInt8] { [major << 5 | UInt8(count)] }

    /// The canonical entries in their order.
    private static func entries(_ map: CBOR.Map) -> [[UInt8]] {
        map.map { ($0.key, CBOR.encode($0.key) + CBOR.encode($0.value)) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.1)
    }
}
