import Foundation
import TestSupport
import Testing
import WebAuthn

/// The results of `PublicKeyCredential.toJSON()` (WebAuthn L3 §5.1.8), in the shapes that browsers write.
struct ResponseJSONTests {
    private static let attestationObject = Base64URL.encode(Vectors.attestationObject)
    private static let authenticatorData = Base64URL.encode(Vectors.registrationData)
    private static let createData = Base64URL.encode(
        CollectedClientData(type: "webauthn.create", challenge: [1, 2, 3], origin: "https://example.org").encoded)

    /// As Chromium writes it, with everything it adds for convenience.
    private static let chromiumRegistration = """
        {"authenticatorAttachment":"platform","clientExtensionResults":{"credProps":{"rk":true},"prf":{"enabled":true}},
        "id":"-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q","rawId":"-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q",
        "response":{"attestationObject":"\(attestationObject)","authenticatorData":"\(authenticatorData)",
        "clientDataJSON":"\(createData)","publicKey":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEr--hb5fKmy0j64bMtkCY0g25CFYG\
        LrJJwzqbZy8m32GTCla4ei_KZjNLA0WKv4eXF8Esxo7XMpCvLiZkeWuSIA","publicKeyAlgorithm":-7,
        "transports":["hybrid","internal"]},"type":"public-key"}
        """

    @Test func aRegistrationAsChromiumWritesItDecodes() throws {
        let response = try JSONDecoder().decode(RegistrationResponse.self, from: Data(Self.chromiumRegistration.utf8))
        #expect(response.rawId.bytes == Vectors.credentialID)
        #expect(response.id == Base64URL.encode(Vectors.credentialID))
        #expect(response.type == "public-key")
        #expect(response.authenticatorAttachment == "platform")
        #expect(response.clientExtensionResults.credProps?.rk == true)
        #expect(response.response.transports == [.hybrid, .internal])
        #expect(response.response.publicKeyAlgorithm == -7)
        #expect(response.response.publicKey?.bytes.count == 91)
        let object = try AttestationObject(parsing: response.response.attestationObject.bytes)
        #expect(object.authenticatorData == response.response.authenticatorData?.bytes)
        let clientData = try CollectedClientData(parsing: response.response.clientDataJSON.bytes)
        #expect(clientData.type == CollectedClientData.createType)
        #expect(try JSONDecoder().decode(RegistrationResponse.self, from: JSONEncoder().encode(response)) == response)
    }

    @Test func aRegistrationWithOnlyTheRequiredMembersDecodes() throws {
        let json = """
            {"id":"AQ","rawId":"AQ","type":"public-key","authenticatorAttachment":null,"clientExtensionResults":{},
            "response":{"attestationObject":"oA","clientDataJSON":"e30"}}
            """
        let response = try JSONDecoder().decode(RegistrationResponse.self, from: Data(json.utf8))
        let expected = RegistrationResponse(
            credentialID: [1], authenticatorAttachment: nil,
            response: AttestationResponse(clientDataJSON: Array("{}".utf8), attestationObject: [0xA0]))
        #expect(response == expected)
    }

    @Test(arguments: [#","userHandle":"AQI""#, #","userHandle":null"#, "", #","userHandle":"""#])
    func anAssertionDecodesWithAndWithoutAUserHandle(userHandle: String) throws {
        let json = """
            {"authenticatorAttachment":"cross-platform","clientExtensionResults":{"appid":true,"telepathy":{"a":1}},
            "id":"-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q","rawId":"-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q",
            "response":{"authenticatorData":"v6vDdDKViwYzYNOtZGHJxHNa5_jt1GWSpeDwFFKy5LUZAAAAAA",
            "clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiT2NEblVoUVh1bFRVUG8zSlVYVDBJOTdwdnp6WUJQOXRaY\
            2hYeWF2MDFBZyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9",
            "signature":"MEYCIQD1Ck4uRAkknEqFO6NhKC8JhB303UVHoTqHeAIY3v_NOAIhAISArA8Lk1OBdPV1vxGh3V14xuSGAT-TcpXqE2U-Mx6H"
            \(userHandle)},"type":"public-key"}
            """
        let response = try JSONDecoder().decode(AuthenticationResponse.self, from: Data(json.utf8))
        #expect(response.rawId.bytes == Vectors.credentialID)
        #expect(response.response.authenticatorData.bytes == Vectors.assertionData)
        #expect(response.response.signature.bytes.count == 72)
        #expect(response.clientExtensionResults == ClientExtensionResults(appid: true))
        let expectedHandle: [UInt8]? = userHandle.contains("AQI") ? [1, 2] : userHandle.hasSuffix("\"\"") ? [] : nil
        #expect(response.response.userHandle?.bytes == expectedHandle)
        let clientData = try CollectedClientData(parsing: response.response.clientDataJSON.bytes)
        #expect(clientData.encoded == response.response.clientDataJSON.bytes)
        #expect(try JSONDecoder().decode(AuthenticationResponse.self, from: JSONEncoder().encode(response)) == response)
    }

    @Test func aResponseIsWrittenWithoutTheMembersItLacks() throws {
        let response = AuthenticationResponse(
            credentialID: [0xFF], authenticatorAttachment: .crossPlatform,
            response: AssertionResponse(
                clientDataJSON: [1], authenticatorData: [2], signature: [3], userHandle: nil))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(response), as: UTF8.self)
                == #"{"authenticatorAttachment":"cross-platform","clientExtensionResults":{},"id":"_w","rawId":"_w","#
                + #""response":{"authenticatorData":"Ag","clientDataJSON":"AQ","signature":"Aw"},"type":"public-key"}"#)
    }

    /// A text of a good registration, and its replacement.
    static let distortions: [(from: String, to: String)] = [
        (#""rawId":"#, #""rawID":"#), (#""type":"public-key""#, #""type":null"#), (#""response":{"#, #""reply":{"#),
        (#""attestationObject":"o2"#, #""attestationObject":"+2"#),
        (#""clientExtensionResults":{"#, #""extensions":{"#),
        (#"lP8-wzAIS-Q","response""#, #"lP8-wzAIS-R","response""#), (#"["hybrid","internal"]"#, #""hybrid""#),
        (#""rk":true"#, #""rk":1"#), (#""publicKeyAlgorithm":-7"#, #""publicKeyAlgorithm":"ES256""#),
    ]

    @Test(arguments: distortions)
    func aRegistrationWithAMissingOrMistypedMemberIsRefused(from: String, to: String) {
        let oneLine = Self.chromiumRegistration.split(separator: "\n").joined()
        let json = oneLine.replacing(from, with: to)
        #expect(json != oneLine)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RegistrationResponse.self, from: Data(json.utf8))
        }
    }
}
