import CBOR
import CTAP
import Documents
import Foundation
import KnownKeys
import TestSupport
import Testing
import WebAuthn

@Suite("getInfo in words")
struct InfoDescriptionTests {
    /// The smallest valid answer.
    static func answer(_ more: [Int: CBOR.Value] = [:]) -> CBOR.Value {
        var map: CBOR.Map = [1: ["FIDO_2_0"], 3: .bytes([UInt8](1...16))]
        for (key, value) in more { map[key] = value }
        return .map(map)
    }

    static func rows(_ more: [Int: CBOR.Value]) throws -> [InfoDescription.Row] {
        try InfoDescription(answer(more)).rows
    }

    static func words(_ member: InfoMember, _ value: CBOR.Value) throws -> String {
        let rows = try rows([member.rawValue: value]).filter { $0.name == member.name }
        try #require(rows.count == 1)
        #expect(!rows[0].meaning.isEmpty)
        return rows[0].value
    }

    @Test func membersHaveTheSpecificationsNumbersAndNames() {
        #expect(InfoMember.allCases.map(\.rawValue) == Array(0x01...0x1F))
        #expect(InfoMember(rawValue: 0x0B)?.name == "maxSerializedLargeBlobArray")
        for member in InfoMember.allCases { #expect(InfoMember(name: member.name) == member) }
        #expect(InfoMember(name: "maxMessageSize") == nil)
    }

    @Test(
        arguments: [
            (.versions, ["U2F_V2", "FIDO_2_1"], "U2F_V2, FIDO_2_1"),
            (.extensions, [], "none"),
            (.aaguid, .bytes([UInt8](repeating: 0xAB, count: 16)), "abababab-abab-abab-abab-abababababab"),
            (.maxMsgSize, 1200, "1200 bytes"),
            (.pinUvAuthProtocols, [2, 1], "2, 1"),
            (.maxCredentialCountInList, 8, "8"),
            (.maxCredentialIdLength, 128, "128 bytes"),
            (.transports, ["nfc", "usb"], "nfc, usb"),
            (
                .algorithms, [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -65534]], "ES256, -65534"
            ),
            (.maxSerializedLargeBlobArray, 4096, "4096 bytes"),
            (.forcePINChange, true, "true"),
            (.minPINLength, 6, "6 characters"),
            (.firmwareVersion, 0x050701, "0x050701 (5.7.1)"),
            // Not a version of three parts.
            (.firmwareVersion, 2, "0x000002 (2)"),
            (.firmwareVersion, 328_965, "0x050505 (5.5.5)"),
            (.firmwareVersion, 0x0507FF, "0x0507FF (329727)"),
            (.firmwareVersion, 20_240_401, "0x134D811 (20240401)"),
            (.maxCredBlobLength, 32, "32 bytes"),
            (.preferredPlatformUvAttempts, 3, "3"),
            (.uvModality, 2, "0x02 (fingerprint)"),
            (.uvModality, 0x806, "0x806 (fingerprint, internal passcode, external passcode)"),
            (.uvModality, 0x2002, "0x2002 (fingerprint, unknown 0x2000)"),
            (.uvModality, 0, "0x00 (nothing)"),
            (.certifications, ["FIDO": 2], "FIDO level 2"),
            (.remainingDiscoverableCredentials, 25, "25"),
            (.vendorPrototypeConfigCommands, [1, .unsigned(.max)], "1, 18446744073709551615"),
            (.longTouchForReset, false, "false"),
            (.encIdentifier, .bytes([0xDE, 0xAD]), "dead"),
            (.pinComplexityPolicyURL, .bytes(Array("https://a.example".utf8)), "https://a.example"),
            (.maxPINLength, 63, "63 bytes of UTF-8"),
            (.authenticatorConfigCommands, [2, 3, 9], "toggleAlwaysUv, setMinPINLength, 9"),
            // A value of another type than the specification's is shown unchanged.
            (.maxMsgSize, "long", "\"long\""),
            (.versions, 1, "1"),
            (.uvModality, .bytes([1]), "01"),
            (.firmwareVersion, .unsigned(.max), "18446744073709551615"),
            (.aaguid, .bytes([1]), "h'01'"),
            (.options, [true], "true"),
            // A terminal would obey control characters.
            (.versions, ["\u{1B}[2J\u{9B}2J"], "\\u001B[2J\\u009B2J"),
        ] as [(InfoMember, CBOR.Value, String)])
    func everyValueIsShownInWords(member: InfoMember, value: CBOR.Value, expected: String) throws {
        #expect(try Self.words(member, value) == expected)
    }

    @Test(arguments: [
        ("clientPin", true, "a PIN is set"),
        ("clientPin", false, "can have a PIN; none is set"),
        ("uv", false, "built-in user verification is not set up"),
        ("bioEnroll", true, "a fingerprint is enrolled"),
        ("ep", false, "enterprise attestation is off"),
        ("alwaysUv", true, "always requires user verification"),
        ("plat", false, "can be carried to another device"),
        ("persistentUvAuthToken", true, "no specification names this option"),
    ])
    func anOptionsStateHasItsMeaning(identifier: String, flag: Bool, meaning: String) throws {
        let rows = try Self.rows([4: .map([.text(identifier): .bool(flag)])])
        let row = try #require(rows.first { $0.name == "options.\(identifier)" })
        #expect(row.value == "\(flag)")
        #expect(row.meaning == meaning)
    }

    @Test func missingOptionsMeanTheirDefaults() throws {
        let rows = try Self.rows([4: ["up": false]])
        let options = rows.filter { $0.name.hasPrefix("options.") }
        #expect(options.map(\.name) == ["options.up", "options.plat", "options.rk"])
        #expect(options.map(\.value) == ["false", "absent, which means false", "absent, which means false"])
        let odd = try Self.rows([4: ["rk": 1, .integer(7): true]])
        #expect(odd.contains { $0.name == "options.rk" && $0.value == "1" && $0.meaning == "not true or false" })
        #expect(odd.contains { $0.name == "options.7" && $0.value == "true" })
    }

    @Test func missingMembersMeanTheirDefaults() throws {
        let description = try InfoDescription(Self.answer())
        let implied = description.members.filter { !$0.isListed }
        #expect(
            implied.map(\.name) == [
                "maxMsgSize", "forcePINChange", "minPINLength", "longTouchForReset", "maxPINLength",
            ])
        #expect(implied.map(\.value) == [.integer(1024), .bool(false), .integer(4), .bool(false), .integer(63)])
        #expect(implied.first?.rows.first?.value == "absent, which means 1024 bytes")
    }

    @Test func unknownMembersAreShownUnchanged() throws {
        guard case .map(var map) = Self.answer() else { return }
        map[0x20] = ["a": .bytes([1, 2])]
        map[0xFF] = 7
        map["text"] = .null
        map[.integer(-1)] = .float16(bits: 0x3C00)
        let description = try InfoDescription(.map(map))
        let unknown = description.members.filter { $0.name == nil }
        #expect(unknown.map(\.number) == [0x20, 0xFF, nil, -1])
        #expect(unknown.flatMap(\.rows).map(\.name) == ["0x20", "0xFF", "\"text\"", "-1"])
        #expect(unknown.flatMap(\.rows).map(\.value) == ["{\"a\": h'0102'}", "7", "null", "float16(0x3c00)"])
        #expect(unknown.first?.value == .object(["a": .text("0102")]))
        #expect(!unknown.map(\.isListed).contains(false))
    }

    @Test func anAnswerThatIsNotAMapIsRefused() {
        #expect(throws: CBOR.AccessError.self) { try InfoDescription([1, 2]) }
    }

    @Test func jsonHoldsEveryMember() throws {
        guard
            case .map(var map) = Self.answer([
                4: ["rk": true], 0x0A: [["type": "public-key", "alg": -8]], 0x0E: 328_965, 0x19: .bytes([1, 0xFF]),
            ])
        else { return }
        map[0x30] = [.unsigned(.max), .undefined]
        let description = try InfoDescription(.map(map))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try encoder.encode(description)
        #expect(try JSONDecoder().decode(InfoDescription.self, from: data) == description)
        let text = String(decoding: data, as: UTF8.self)
        for part in [
            #""name":"aaguid","number":3"#, #""value":"01020304-0506-0708-090a-0b0c0d0e0f10""#,
            #"{"alg":-8,"name":"EdDSA","type":"public-key"}"#, #""value":328965"#, #""value":"01ff""#,
            #"["18446744073709551615",null]"#, #""number":48"#, #""isListed":false"#,
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test func aDecodedAnswerIsDescribed() throws {
        var info = AuthenticatorInfo(versions: ["FIDO_2_1"], aaguid: .zero)
        info.uvCountSinceLastPinEntry = 4
        #expect(InfoDescription(info) == (try InfoDescription(info.cbor)))
        #expect(InfoDescription(info).rows.contains { $0.name == "uvCountSinceLastPinEntry" && $0.value == "4" })
    }
}
