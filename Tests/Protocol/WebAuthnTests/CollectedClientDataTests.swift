import TestSupport
import Testing
import WebAuthn

struct CollectedClientDataTests {
    static let serialisations: [(data: CollectedClientData, json: String)] = [
        (
            // WebAuthn L3, "ES256 Credential with No Attestation", authentication.
            CollectedClientData(
                type: CollectedClientData.getType,
                challenge: [UInt8](hex: "39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408"),
                origin: "https://example.org"),
            #"{"type":"webauthn.get","challenge":"OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag","#
                + #""origin":"https://example.org","crossOrigin":false}"#
        ),
        (
            // WebAuthn L3, "ES256 Credential with "topOrigin" in clientDataJSON", registration.
            CollectedClientData(
                type: CollectedClientData.createType,
                challenge: [UInt8](hex: "4e1f4c6198699e33c14f192153f49d7e0e8e3577d5ac416c5f3adc92a41f27e5"),
                origin: "https://example.org", crossOrigin: true, topOrigin: "https://example.com"),
            #"{"type":"webauthn.create","challenge":"Th9MYZhpnjPBTxkhU_Sdfg6ONXfVrEFsXzrckqQfJ-U","#
                + #""origin":"https://example.org","crossOrigin":true,"topOrigin":"https://example.com"}"#
        ),
        (
            CollectedClientData(type: "webauthn.get", challenge: [], origin: "", crossOrigin: nil),
            #"{"type":"webauthn.get","challenge":"","origin":"","crossOrigin":false}"#
        ),
        (
            CollectedClientData(
                type: "a\"b\\c/d", challenge: [], origin: "\u{0}\u{8}\t\n\u{1F} \u{7F}\u{E9}\u{6C34}\u{1F600}\u{2028}"),
            #"{"type":"a\"b\\c/d","challenge":"","origin":"\u0000\u0008\u0009\u000a\u001f "#
                + "\u{7F}\u{E9}\u{6C34}\u{1F600}\u{2028}" + #"","crossOrigin":false}"#
        ),
        (
            CollectedClientData(
                type: "e\u{301}", challenge: [], origin: "\r\n", crossOrigin: true, topOrigin: "\"\u{301}"),
            "{\"type\":\"e\u{301}\",\"challenge\":\"\",\"origin\":\"\\u000d\\u000a\",\"crossOrigin\":true,\"topOrigin\":\"\\\"\u{301}\"}"
        ),
    ]

    @Test(arguments: serialisations)
    func theSerialisationIsExactlyTheSpecifications(data: CollectedClientData, json: String) throws {
        #expect(data.encoded == Array(json.utf8))
        var expected = data
        expected.crossOrigin = data.crossOrigin ?? false
        #expect(try CollectedClientData(parsing: data.encoded) == expected)
    }

    @Test func theVectorWithFurtherMembersParsesAndItsKnownPartIsASerialisation() throws {
        let json =
            #"{"type":"webauthn.create","challenge":"O-WqzQNTcUJHI0CrWWnyQPHYdxbiC2gHrCMGVfpLO0k","#
            + #""origin":"https://example.org","crossOrigin":true,"extraData":"clientDataJSON may be extended with "#
            + #"additional fields in the future, such as this: zZquEtDR9DWqpW5tBWTFug"}"#
        let data = try CollectedClientData(parsing: Array(json.utf8))
        #expect(data.type == CollectedClientData.createType)
        #expect(data.crossOrigin == true)
        #expect(data.topOrigin == nil)
        #expect(
            Base64URL.decode(data.challenge)
                == [UInt8](hex: "3be5aacd03537142472340ab5969f240f1d87716e20b6807ac230655fa4b3b49"))
        // The limited verification algorithm (§5.8.1.2): everything but the closing brace is a prefix.
        #expect(Array(json.utf8).starts(with: data.encoded.dropLast()))
    }

    private static let minimal = #"{"type":"t","challenge":"c","origin":"o"}"#

    @Test func onlyTheFirstByteOrderMarkIsStripped() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let json = Array(Self.minimal.utf8)
        #expect(try CollectedClientData(parsing: mark + json) == CollectedClientData(parsing: json))
        #expect(throws: CollectedClientData.ParsingError.notJSON) {
            try CollectedClientData(parsing: mark + mark + json)
        }
    }

    @Test func absentAndNullOptionalMembersAreNotStated() throws {
        let absent = try CollectedClientData(parsing: Array(Self.minimal.utf8))
        #expect(absent.crossOrigin == nil)
        #expect(absent.topOrigin == nil)
        let null = #"{"type":"t","challenge":"c","origin":"o","crossOrigin":null,"topOrigin":null}"#
        #expect(try CollectedClientData(parsing: Array(null.utf8)) == absent)
    }

    @Test func orderWhiteSpaceEscapesAndUnknownMembersDoNotMatter() throws {
        let json = """
             {\t"tokenBinding": {"status": "supported"}, "or\\u0069gin": "o", "crossOrigin": false,
               "challenge" : "\\u0063", "x": [1, -2.5e3, null, {"type": 1}], "type":"t" }\r
            """
        let data = try CollectedClientData(parsing: Array(json.utf8))
        #expect(data.type == "t")
        #expect(data.challenge == "c")
        #expect(data.origin == "o")
        #expect(data.crossOrigin == false)
    }

    @Test func aMemberGivenTwiceIsRefused() {
        let json = #"{"type":"t","challenge":"first","origin":"o","challenge":"second"}"#
        #expect(throws: CollectedClientData.ParsingError.duplicateMember("challenge")) {
            try CollectedClientData(parsing: Array(json.utf8))
        }
    }

    static let notUTF8: [[UInt8]] = [
        [0xFF], [0xFE, 0xFF, 0x00, 0x7B], [0xFF, 0xFE, 0x7B, 0x00],
        Array(#"{"type":""#.utf8) + [0xC3] + Array(#""}"#.utf8),
        Array(minimal.utf8) + [0x80], Array(#"{"type":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8),
        Array(#"{"type":""#.utf8) + [0xC0, 0xA2] + Array(#""}"#.utf8),
    ]

    @Test(arguments: notUTF8)
    func bytesThatAreNotUTF8AreRefused(bytes: [UInt8]) {
        #expect(throws: CollectedClientData.ParsingError.notUTF8) { try CollectedClientData(parsing: bytes) }
    }

    @Test(arguments: [
        "", " ", "{", "}", "[]", "[\"webauthn.get\"]", "\"webauthn.get\"", "null", "true", "1", "{}x", minimal + "{}",
        minimal + "\0", "{'type':'t','challenge':'c','origin':'o'}", #"{type:"t","challenge":"c","origin":"o"}"#,
        "// comment\n" + minimal, #"{"type":"t","challenge":"c","origin":"o\#n"}"#,
        #"{"type":"t","challenge":"c","origin":"\ud800"}"#, #"{"type":"t","challenge":"c","origin":"\x6f"}"#,
        #"{"type":"t","challenge":"c","origin":"\#0"}"#, #"{"type":"t","challenge":"c","origin":"o","x":NaN}"#,
        "Webauthn", "eyJ0eXBlIjoidCJ9",
    ])
    func textThatIsNoJSONObjectIsRefused(json: String) {
        #expect(throws: CollectedClientData.ParsingError.notJSON) { try CollectedClientData(parsing: Array(json.utf8)) }
    }

    @Test func jsonInUTF16OrUTF32IsRefused() {
        let units = Array(Self.minimal.utf16)
        let encodings: [[UInt8]] = [
            units.flatMap { [UInt8(truncatingIfNeeded: $0), 0] }, units.flatMap { [0, UInt8(truncatingIfNeeded: $0)] },
            units.flatMap { [UInt8(truncatingIfNeeded: $0), 0, 0, 0] },
            units.flatMap { [0, 0, 0, UInt8(truncatingIfNeeded: $0)] },
        ]
        for bytes in encodings {
            #expect(throws: CollectedClientData.ParsingError.notJSON) { try CollectedClientData(parsing: bytes) }
        }
    }

    @Test func aDeeplyNestedMemberIsRefusedNotFollowed() {
        let json = #"{"type":"t","challenge":"c","origin":"o","x":"# + String(repeating: "[", count: 100_000)
        #expect(throws: CollectedClientData.ParsingError.notJSON) { try CollectedClientData(parsing: Array(json.utf8)) }
    }

    static let wrongMembers: [(json: String, member: String)] = [
        ("{}", "type"),
        (#"{"challenge":"c","origin":"o"}"#, "type"),
        (#"{"type":"t","origin":"o"}"#, "challenge"),
        (#"{"type":"t","challenge":"c"}"#, "origin"),
        (#"{"Type":"t","challenge":"c","origin":"o"}"#, "type"),
        (#"{"type":null,"challenge":"c","origin":"o"}"#, "type"),
        (#"{"type":1,"challenge":"c","origin":"o"}"#, "type"),
        (#"{"type":["t"],"challenge":"c","origin":"o"}"#, "type"),
        (#"{"type":"t","challenge":{"type":"Buffer"},"origin":"o"}"#, "challenge"),
        (#"{"type":"t","challenge":[1,2],"origin":"o"}"#, "challenge"),
        (#"{"type":"t","challenge":"c","origin":false}"#, "origin"),
        (#"{"type":"t","challenge":"c","origin":"o","crossOrigin":"true"}"#, "crossOrigin"),
        (#"{"type":"t","challenge":"c","origin":"o","crossOrigin":1}"#, "crossOrigin"),
        (#"{"type":"t","challenge":"c","origin":"o","crossOrigin":0}"#, "crossOrigin"),
        (#"{"type":"t","challenge":"c","origin":"o","crossOrigin":[]}"#, "crossOrigin"),
        (#"{"type":"t","challenge":"c","origin":"o","topOrigin":true}"#, "topOrigin"),
        (#"{"type":"t","challenge":"c","origin":"o","topOrigin":{}}"#, "topOrigin"),
    ]

    @Test(arguments: wrongMembers)
    func aMissingOrMistypedMemberIsNamed(json: String, member: String) {
        let error = #expect(throws: CollectedClientData.ParsingError.self) {
            try CollectedClientData(parsing: Array(json.utf8))
        }
        #expect(error == .invalidMember(member))
        #expect(error?.description.contains(" \(member) ") == true)
    }
}
