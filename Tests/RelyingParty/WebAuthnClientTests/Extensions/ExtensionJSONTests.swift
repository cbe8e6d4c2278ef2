import CTAP
import Foundation
import Testing
import WebAuthn
import WebAuthnClient

/// Extensions in the JSON of options and responses (WebAuthn L3 §5.1.8 to §5.1.10): bytes are base64url.
struct ExtensionJSONTests {
    private static let inputs = """
        {"credProps": true, "prf": {"eval": {"first": "AQ", "second": "Ag"}},
         "largeBlob": {"support": "required"}, "appid": "https://example.org/a",
         "appidExclude": "https://example.org/b", "credentialProtectionPolicy": "userVerificationRequired",
         "enforceCredentialProtectionPolicy": true, "credBlob": "AwQ", "getCredBlob": true, "minPinLength": true,
         "pinComplexityPolicy": true, "uvm": true, "payment": {"isPayment": true, "payeeName": "Ada"},
         "telepathy": {"range": 9}}
        """

    private static func creation(_ extensions: String = inputs) -> [UInt8] {
        let options = """
            {"rp": {"id": "example.org", "name": "Example"}, "challenge": "AQID",
             "user": {"id": "AQ", "name": "ada", "displayName": "Ada"},
             "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
             "authenticatorSelection": {"residentKey": "required"}, "extensions": \(extensions)}
            """
        return Array(options.utf8)
    }

    private static func request(_ extensions: String, allow: String = "[]") -> [UInt8] {
        Array(
            """
            {"challenge": "BAUG", "rpId": "example.org", "allowCredentials": \(allow), "extensions": \(extensions)}
            """.utf8)
    }

    private func results(_ response: [UInt8]) throws -> [String: Any] {
        let members = try #require(try JSONSerialization.jsonObject(with: Data(response)) as? [String: Any])
        return try #require(members["clientExtensionResults"] as? [String: Any])
    }

    private func text(_ value: Any?) throws -> String {
        let value = try #require(value)
        let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }

    @Test func inputsSurviveWritingAndReading() throws {
        let inputs = try JSONDecoder().decode(ClientExtensionInputs.self, from: Data(Self.inputs.utf8))
        let expected = ClientExtensionInputs(
            credProps: true, prf: PRFInputs(eval: PRFValues(first: [1], second: [2])),
            largeBlob: LargeBlobInputs(support: .required), appid: "https://example.org/a",
            appidExclude: "https://example.org/b", credentialProtectionPolicy: .userVerificationRequired,
            enforceCredentialProtectionPolicy: true, credBlob: [3, 4], getCredBlob: true, minPinLength: true,
            pinComplexityPolicy: true, uvm: true, payment: PaymentInputs(isPayment: true))
        #expect(inputs == expected)
        #expect(try JSONDecoder().decode(ClientExtensionInputs.self, from: JSONEncoder().encode(inputs)) == expected)
    }

    @Test func everyOutputIsInTheResponse() async throws {
        let bench = try await VirtualBench()
        // create() refuses appid.
        let inputs = Self.inputs.replacing(#" "appid": "https://example.org/a","#, with: "")
        let created = try await bench.client.create(json: Self.creation(inputs), origin: VirtualBench.origin)
        let outputs = try results(created)
        #expect(Set(outputs.keys) == ["appidExclude", "credBlob", "credProps", "largeBlob", "prf", "uvm"])
        #expect(try text(outputs["credProps"]) == #"{"rk":true}"#)
        #expect(try text(outputs["largeBlob"]) == #"{"supported":true}"#)
        #expect(try text(outputs["credBlob"]) == "true")
        #expect(try text(outputs["uvm"]) == "[[2048,1,1]]")
        #expect(try text(outputs["appidExclude"]) == "true")
        let prf = try #require(outputs["prf"] as? [String: Any])
        #expect(prf["enabled"] as? Bool == true)
        let values = try #require(prf["results"] as? [String: String])
        #expect(values.values.allSatisfy { Base64URL.decode($0)?.count == 32 })

        let response = try JSONDecoder().decode(RegistrationResponse.self, from: Data(created))
        let asked =
            #"{"appid": "https://example.org/a", "getCredBlob": true, "uvm": true, "largeBlob": {"write": "BQY"}"#
        let byCredential = #","prf": {"evalByCredential": {"\#(response.id)": {"first": "AQ", "second": "Ag"}}}}"#
        let allow = #"[{"type": "public-key", "id": "\#(response.id)"}]"#
        let signedIn = try results(
            await bench.client.get(json: Self.request(asked + byCredential, allow: allow), origin: VirtualBench.origin))
        #expect(Set(signedIn.keys) == ["appid", "getCredBlob", "largeBlob", "prf", "uvm"])
        #expect(try text(signedIn["appid"]) == "false")
        #expect(try text(signedIn["getCredBlob"]) == #""AwQ""#)
        #expect(try text(signedIn["largeBlob"]) == #"{"written":true}"#)
        #expect(try text(signedIn["prf"]) == text(["results": values]))
        let read = try results(
            await bench.client.get(
                json: Self.request(#"{"largeBlob": {"read": true}}"#), origin: VirtualBench.origin))
        #expect(try text(read["largeBlob"]) == #"{"blob":"BQY"}"#)
    }

    @Test func aRelyingPartyReadsTheClientsOutputs() throws {
        let results = ClientExtensionResults(
            credProps: .init(rk: true), prf: PRFOutputs(enabled: true, results: PRFValues(first: [1])),
            largeBlob: LargeBlobOutputs(supported: true, blob: [2], written: false), appid: true, appidExclude: true,
            credBlob: false, getCredBlob: [3], uvm: [[1, 2, 3]])
        let json = try JSONEncoder().encode(results)
        #expect(try JSONDecoder().decode(ClientExtensionResults.self, from: json) == results)
        #expect(
            try JSONDecoder().decode(ClientExtensionResults.self, from: Data("{}".utf8)) == ClientExtensionResults())
    }

    @Test(
        arguments: [
            (#"{"prf": {"eval": {"first": "A="}}}"#, .encodingError, "extensions.prf.eval.first"),
            (#"{"prf": {"eval": {"first": "AQ", "second": "+"}}}"#, .encodingError, "extensions.prf.eval.second"),
            (#"{"prf": {"eval": {"second": "AQ"}}}"#, .typeError, "extensions.prf.eval.first"),
            (#"{"prf": true}"#, .typeError, "extensions.prf"),
            (#"{"largeBlob": {"write": "A="}}"#, .encodingError, "extensions.largeBlob.write"),
            (#"{"credBlob": "A="}"#, .encodingError, "extensions.credBlob"),
            (#"{"credProps": "yes"}"#, .typeError, "extensions.credProps"),
            (#"{"credentialProtectionPolicy": "some"}"#, .typeError, "extensions.credentialProtectionPolicy"),
            (#"{"appid": 7}"#, .typeError, "extensions.appid"),
        ] as [(String, DOMExceptionName, String)])
    func aBadInputIsNamed(_ row: (extensions: String, name: DOMExceptionName, path: String)) async throws {
        let device = FakeAuthenticator([:])
        let client = client(device)
        for json in [Self.creation(row.extensions), Self.request(row.extensions)] {
            let error = await failure { () async throws(WebAuthnClientError) in
                json == Self.request(row.extensions)
                    ? try await client.get(json: json, origin: VirtualBench.origin)
                    : try await client.create(json: json, origin: VirtualBench.origin)
            }
            #expect(error?.domException == row.name)
            #expect(error?.detail == row.path)
        }
        #expect(await device.log.isEmpty)
    }

    @Test func anUnknownKindOfSupportCountsAsAbsent() async throws {
        let bench = try await VirtualBench()
        let json = Self.creation(#"{"largeBlob": {"support": "perhaps"}}"#)
        let created = try await bench.client.create(json: json, origin: VirtualBench.origin)
        #expect(try text(results(created)["largeBlob"]) == #"{"supported":true}"#)
    }
}
