import Foundation
import Testing
import WebAuthn

/// The options a relying party sends, as JSON (WebAuthn L3 §5.1.9, §5.1.10).
struct OptionsJSONTests {
    private func decode<Value: Decodable>(_ json: String, as _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    @Test func fullCreationOptionsRoundTrip() throws {
        let options: CreationOptions = try decode(
            """
            {
              "challenge": "AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA",
              "rp": {"id": "example.org", "name": "Example", "icon": "https://example.org/i.png"},
              "user": {"id": "AQI", "name": "alice@example.org", "displayName": "Alice"},
              "pubKeyCredParams": [{"alg": -8, "type": "public-key"}, {"alg": -7, "type": "public-key"},
                                   {"alg": -257, "type": "public-key"}, {"alg": 1, "type": "future"}],
              "timeout": 60000,
              "excludeCredentials": [{"id": "-w", "type": "public-key", "transports": ["usb", "hybrid", "future"]}],
              "authenticatorSelection": {"authenticatorAttachment": "cross-platform", "residentKey": "preferred",
                                         "requireResidentKey": false, "userVerification": "required"},
              "hints": ["security-key"],
              "attestation": "direct",
              "attestationFormats": ["packed", "tpm"],
              "extensions": {"credProps": true, "prf": {"eval": {"first": "AAAA"}}}
            }
            """)
        #expect(options.challenge.bytes.count == 32)
        #expect(options.rp == RelyingPartyEntity(id: "example.org", name: "Example"))
        #expect(options.user == UserEntity(id: [1, 2], name: "alice@example.org", displayName: "Alice"))
        #expect(options.pubKeyCredParams.map(\.alg) == [-8, -7, -257, 1])
        #expect(options.pubKeyCredParams.map(\.type) == ["public-key", "public-key", "public-key", "future"])
        #expect(options.timeout == 60_000)
        #expect(
            options.excludeCredentials == [
                CredentialDescriptor(id: [0xFB], transports: [.usb, .hybrid, AuthenticatorTransport("future")])
            ])
        #expect(options.authenticatorSelection?.authenticatorAttachment == .crossPlatform)
        #expect(options.authenticatorSelection?.effectiveResidentKey == .preferred)
        #expect(options.authenticatorSelection?.userVerification == .required)
        #expect(options.hints == ["security-key"])
        #expect(options.attestation == .direct)
        #expect(options.attestationFormats == ["packed", "tpm"])
        #expect(try JSONDecoder().decode(CreationOptions.self, from: JSONEncoder().encode(options)) == options)
    }

    @Test func optionalMembersMayBeAbsentOrNull() throws {
        let bare: CreationOptions = try decode(
            """
            {"challenge": "", "rp": {"name": "Example"}, "user": {"id": "AA", "name": "", "displayName": ""},
             "pubKeyCredParams": []}
            """)
        #expect(bare.rp.id == nil)
        #expect(bare.timeout == nil)
        #expect(bare.authenticatorSelection == nil)
        let nulls: CreationOptions = try decode(
            """
            {"challenge": "", "rp": {"id": null, "name": "Example"}, "user": {"id": "AA", "name": "", "displayName": ""},
             "pubKeyCredParams": [], "timeout": null, "excludeCredentials": null, "authenticatorSelection": null,
             "attestation": null, "hints": null}
            """)
        #expect(nulls == bare)
        let request: RequestOptions = try decode(#"{"challenge": "AA"}"#)
        #expect(request == RequestOptions(challenge: [0]))
    }

    @Test func absentMembersAreNotWritten() throws {
        let options = CreationOptions(
            rp: RelyingPartyEntity(id: nil, name: "Example"), user: UserEntity(id: [0], name: "a", displayName: "A"),
            challenge: [1], pubKeyCredParams: [CredentialParameters(alg: -7)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(options), as: UTF8.self)
                == #"{"challenge":"AQ","pubKeyCredParams":[{"alg":-7,"type":"public-key"}],"rp":{"name":"Example"},"#
                + #""user":{"displayName":"A","id":"AA","name":"a"}}"#)
        #expect(
            String(decoding: try encoder.encode(RequestOptions(challenge: [1], rpId: "example.org")), as: UTF8.self)
                == #"{"challenge":"AQ","rpId":"example.org"}"#)
    }

    @Test func requestOptionsRoundTrip() throws {
        let options: RequestOptions = try decode(
            """
            {"challenge": "OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag", "timeout": 300000, "rpId": "example.org",
             "allowCredentials": [{"type": "public-key", "id": "-R85"}, {"type": "future", "id": "AA", "x": 1}],
             "userVerification": "discouraged", "hints": ["client-device", "hybrid"], "mediation": "conditional"}
            """)
        #expect(options.allowCredentials?.map(\.type) == ["public-key", "future"])
        #expect(options.allowCredentials?.first?.transports == nil)
        #expect(options.userVerification == .discouraged)
        #expect(options.hints == ["client-device", "hybrid"])
        #expect(try JSONDecoder().decode(RequestOptions.self, from: JSONEncoder().encode(options)) == options)
    }

    @Test func unknownEnumerationValuesCountAsAbsent() throws {
        let selection: AuthenticatorSelection = try decode(
            """
            {"authenticatorAttachment": "implanted", "residentKey": "perhaps", "userVerification": "REQUIRED",
             "requireResidentKey": true}
            """)
        #expect(selection.authenticatorAttachment == nil)
        #expect(selection.residentKey == nil)
        #expect(selection.userVerification == nil)
        #expect(selection.effectiveResidentKey == .required)
        let request: RequestOptions = try decode(#"{"challenge": "AA", "userVerification": ""}"#)
        #expect(request.userVerification == nil)
        let creation: CreationOptions = try decode(
            """
            {"challenge": "", "rp": {"name": ""}, "user": {"id": "AA", "name": "", "displayName": ""},
             "pubKeyCredParams": [], "attestation": "notarised"}
            """)
        #expect(creation.attestation == nil)
    }

    static let residentKey: [(json: String, expected: ResidentKeyRequirement)] = [
        ("{}", .discouraged), (#"{"requireResidentKey": true}"#, .required),
        (#"{"requireResidentKey": false}"#, .discouraged),
        (#"{"residentKey": "required"}"#, .required),
        (#"{"residentKey": "preferred", "requireResidentKey": true}"#, .preferred),
        (#"{"residentKey": "discouraged", "requireResidentKey": true}"#, .discouraged),
    ]

    @Test(arguments: residentKey)
    func levelOnesMemberCountsWhereTheNewerOneIsAbsent(json: String, expected: ResidentKeyRequirement) throws {
        let selection: AuthenticatorSelection = try decode(json)
        #expect(selection.effectiveResidentKey == expected)
    }

    @Test func aSelectionStatesLevelOnesMemberToo() {
        #expect(AuthenticatorSelection(residentKey: .required).requireResidentKey == true)
        #expect(AuthenticatorSelection(residentKey: .preferred).requireResidentKey == false)
        #expect(AuthenticatorSelection().requireResidentKey == nil)
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"challenge": "A"}"#, #"{"challenge": "AA=="}"#, #"{"challenge": null}"#,
        #"{"challenge": "AA", "timeout": -1}"#, #"{"challenge": "AA", "timeout": 4294967296}"#,
        #"{"challenge": "AA", "timeout": "60000"}"#, #"{"challenge": "AA", "allowCredentials": {}}"#,
        #"{"challenge": "AA", "allowCredentials": [{"type": "public-key"}]}"#,
        #"{"challenge": "AA", "allowCredentials": [{"type": "public-key", "id": "a+b/"}]}"#,
        #"{"challenge": "AA", "userVerification": 1}"#, #"{"challenge": "AA", "rpId": 1}"#,
    ])
    func malformedRequestOptionsAreRefused(json: String) {
        #expect(throws: DecodingError.self) { try decode(json, as: RequestOptions.self) }
    }
}
