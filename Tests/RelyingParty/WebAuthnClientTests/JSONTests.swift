import CTAP
import Foundation
import Testing
import WebAuthn
import WebAuthnClient

/// Options and responses in a server's JSON.
struct JSONTests {
    private static let creation = """
        {"rp": {"id": "example.org", "name": "Example"}, "challenge": "AQID",
         "user": {"id": "AQ", "name": "ada", "displayName": "Ada"},
         "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
         "excludeCredentials": [{"type": "public-key", "id": "CQ", "transports": ["usb", "telepathy"]}],
         "authenticatorSelection": {"residentKey": "preferred", "userVerification": "discouraged"},
         "extensions": {"credProps": true, "unknown": {"a": 1}}}
        """

    @Test func createAnswersWithRegistrationResponseJSON() async throws {
        let device = FakeAuthenticator(["rk": true])
        let answer = try await client(device).create(json: Array(Self.creation.utf8), origin: .test())
        let response = try JSONDecoder().decode(RegistrationResponse.self, from: Data(answer))
        #expect(response.type == "public-key")
        #expect(response.clientExtensionResults.credProps?.rk == true)
        #expect(response.response.transports == [.nfc, .usb])
    }

    @Test func getAnswersWithAuthenticationResponseJSON() async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        let options = #"{"challenge": "BAUG", "rpId": "example.org", "userVerification": "discouraged"}"#
        let answer = try await client(device).get(json: Array(options.utf8), origin: .test())
        let response = try JSONDecoder().decode(AuthenticationResponse.self, from: Data(answer))
        #expect(response.id == "AQ")
        #expect(response.response.userHandle?.bytes == [0xF0, 1])
    }

    @Test(
        arguments: [
            ("AQID", "A=ID", .encodingError, "challenge"), (#""id": "AQ""#, #""id": "A Q""#, .encodingError, "user.id"),
            (#""name": "Example""#, #""title": "Example""#, .typeError, "rp.name"),
            (#""alg": -7"#, #""alg": "ES256""#, .typeError, "pubKeyCredParams"),
            (#""challenge": "AQID","#, "", .typeError, "challenge"),
            (#""challenge": "AQID""#, #""challenge": 7"#, .typeError, "challenge"),
        ] as [(String, String, DOMExceptionName, String)])
    func aBadMemberIsNamed(
        _ row: (find: String, replacement: String, name: DOMExceptionName, member: String)
    ) async throws {
        let error = try await refusal(Self.creation.replacing(row.find, with: row.replacement))
        #expect(error?.domException == row.name)
        #expect(error?.detail?.hasPrefix(row.member) == true)
    }

    @Test(arguments: [("{", DOMExceptionName.syntaxError), ("", .syntaxError), ("[]", .typeError)])
    func aValueThatIsNoObjectIsRefused(_ row: (text: String, name: DOMExceptionName)) async throws {
        #expect(try await refusal(row.text)?.domException == row.name)
    }

    @Test func unknownEnumerationValuesCountAsAbsent() async throws {
        let device = FakeAuthenticator(["rk": true])
        let options = Self.creation.replacing(#""preferred""#, with: #""perhaps""#)
            .replacing(#""discouraged""#, with: #""telepathic""#)
        _ = try await client(device).create(json: Array(options.utf8), origin: .test())
        #expect(await device.makeCredentials.first?.options == [:])
    }

    private func refusal(_ json: String) async throws -> WebAuthnClientError? {
        let device = FakeAuthenticator([:])
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(json: Array(json.utf8), origin: origin)
        }
        #expect(await device.log.isEmpty)
        return error
    }
}
