import CBOR
import TestSupport
import Testing

/// Maps, accessors and the notation for people.
struct ValueTests {
    @Test func mapsAreEqualInAnyOrderOfTheirEntries() {
        let forwards: CBOR.Map = [1: "a", "b": 2]
        let backwards: CBOR.Map = ["b": 2, 1: "a"]
        #expect(forwards == backwards)
        #expect(forwards.hashValue == backwards.hashValue)
        #expect(Set<CBOR.Value>([.map(forwards), .map(backwards)]).count == 1)
    }

    @Test(arguments: [[1: "a"], [1: "a", 2: "c"], [1: "a", 3: "b"], [1: "a", 2: "b", 3: "c"]] as [CBOR.Map])
    func mapsWithOtherEntriesDiffer(other: CBOR.Map) {
        let map: CBOR.Map = [1: "a", 2: "b"]
        #expect(map != other)
        #expect(other != map)
    }

    @Test func aMapAddsReplacesAndRemovesByKey() {
        var map: CBOR.Map = [3: 0]
        map["id"] = "x"
        map[-1] = 7
        map[3] = 1
        map["absent"] = nil
        #expect(map.keys == [3, "id", -1])
        #expect(map[3] == 1)
        map["id"] = nil
        #expect(map.keys == [3, -1])
        #expect(map["id"] == nil)
        #expect(map[4] == nil)
    }

    @Test func theLaterOfTwoEntriesWithOneKeyInALiteralWins() {
        let map: CBOR.Map = [1: "a", 1: "b"]
        #expect(map.count == 1)
        #expect(map[1] == "b")
    }

    @Test(arguments: [
        (Int.min, CBOR.Value.negative(UInt64(Int.max))), (-1, .negative(0)), (0, .unsigned(0)),
        (Int.max, .unsigned(UInt64(Int.max))),
    ])
    func anIntegerGoesIntoItsMajorTypeAndBack(number: Int, value: CBOR.Value) throws {
        #expect(CBOR.Value.integer(number) == value)
        #expect(try value.asInteger("n") == number)
    }

    @Test(arguments: [CBOR.Value.unsigned(UInt64(Int.max) + 1), .unsigned(.max), .negative(1 << 63), .negative(.max)])
    func anIntegerBeyondIntIsOutOfRange(value: CBOR.Value) {
        #expect(throws: CBOR.AccessError(problem: .outOfRange, path: "n")) { try value.asInteger("n") }
    }

    @Test func anUnsignedIntegerBeyondIntIsOutOfRange() {
        #expect(throws: CBOR.AccessError(problem: .outOfRange, path: "n")) {
            try CBOR.Value.unsigned(1 << 63).asUnsigned("n")
        }
        #expect(
            throws: CBOR.AccessError(
                problem: .wrongType(expected: .unsignedInteger, found: .negativeInteger), path: "n")
        ) {
            try CBOR.Value.integer(-1).asUnsigned("n")
        }
    }

    static let oneOfEach: [(value: CBOR.Value, kind: CBOR.Kind)] = [
        (1, .unsignedInteger), (-1, .negativeInteger), (.bytes([1]), .byteString), ("a", .textString), ([1], .array),
        ([1: 1], .map), (.tagged(1, 1), .tag), (true, .boolean), (.null, .null), (.undefined, .undefined),
        (.simple(1), .simpleValue), (.float16(bits: 1), .float), (.float32(bits: 1), .float),
        (.float64(bits: 1), .float),
    ]

    @Test(arguments: oneOfEach)
    func anAccessorTakesItsOwnKindAndNamesAnyOther(value: CBOR.Value, kind: CBOR.Kind) {
        #expect(value.kind == kind)
        expectKinds([.map], expected: .map, value) { value throws(CBOR.AccessError) in _ = try value.asMap("p") }
        expectKinds([.array], expected: .array, value) { value throws(CBOR.AccessError) in _ = try value.asArray("p") }
        expectKinds([.byteString], expected: .byteString, value) { value throws(CBOR.AccessError) in
            _ = try value.asBytes("p")
        }
        expectKinds([.textString], expected: .textString, value) { value throws(CBOR.AccessError) in
            _ = try value.asText("p")
        }
        expectKinds([.boolean], expected: .boolean, value) { value throws(CBOR.AccessError) in _ = try value.asBool("p")
        }
        expectKinds([.unsignedInteger], expected: .unsignedInteger, value) { value throws(CBOR.AccessError) in
            _ = try value.asUnsigned("p")
        }
        expectKinds([.unsignedInteger, .negativeInteger], expected: .integer, value) { value throws(CBOR.AccessError) in
            _ = try value.asInteger("p")
        }
    }

    private func expectKinds(
        _ accepted: Set<CBOR.Kind>, expected: CBOR.Kind, _ value: CBOR.Value,
        _ access: (CBOR.Value) throws(CBOR.AccessError) -> Void
    ) {
        do {
            try access(value)
            #expect(accepted.contains(value.kind))
        } catch {
            #expect(!accepted.contains(value.kind))
            #expect(error.problem == .wrongType(expected: expected, found: value.kind))
            #expect(error.path == "p")
        }
    }

    @Test func aRefusalNamesThePath() {
        let map: CBOR.Map = ["id": 1]
        let missing = #expect(throws: CBOR.AccessError.self) { try map.required("name", "user.name") }
        #expect(missing?.description == "user.name is missing")
        let wrong = #expect(throws: CBOR.AccessError.self) { try map.required("id", "user.id").asBytes("user.id") }
        #expect(wrong?.description == "user.id is a unsigned integer, not a byte string")
    }

    static let notations: [(value: CBOR.Value, text: String)] = [
        (0, "0"), (.unsigned(.max), "18446744073709551615"), (-1, "-1"), (.negative(.max), "-18446744073709551616"),
        (.negative(.max - 1), "-18446744073709551615"), (.bytes([]), "h''"), (.bytes([0, 0x0F, 0xF0]), "h'000ff0'"),
        ("a\"b\\c\nd\u{1}", #""a\"b\\c\nd\u{1}""#), ([1, [], "x"], #"[1, [], "x"]"#),
        ([1: ["a": true]], #"{1: {"a": true}}"#),
        (.tagged(24, .bytes([1])), "24(h'01')"), (false, "false"), (.null, "null"), (.undefined, "undefined"),
        (.simple(99), "simple(99)"), (.float32(bits: Float(1.5).bitPattern), "1.5_2"),
        (.float64(bits: (-4.1).bitPattern), "-4.1_3"),
    ]

    @Test(arguments: notations)
    func theDescriptionOfAValueIsDiagnosticNotation(value: CBOR.Value, text: String) {
        #expect(value.description == text)
    }
}
