import Foundation
import Testing
import WebAuthn

/// The reader that spares `JSONDecoder` reads the same values, and leaves the rest to it.
@Suite struct ResponseReaderTests {
    private static let members = #""id":"AQI","rawId":"AQI","type":"public-key""#
    private static let assertion = #""clientDataJSON":"e30","authenticatorData":"AAEC","signature":"MEQ""#
    private static let attestation = #""clientDataJSON":"e30","attestationObject":"oA""#

    private static func json(_ extra: String = "", results: String = "{}", response: String) -> String {
        #"{\#(members)\#(extra),"clientExtensionResults":\#(results),"response":{\#(response)}}"#
    }

    @Test(
        "Responses are read as JSONDecoder reads them",
        arguments: [
            json(response: attestation),
            json(#","authenticatorAttachment":"platform","unknown":[1,{"a":null}]"#, response: attestation),
            json(#","authenticatorAttachment":null"#, results: #"{"credProps":{"rk":true}}"#, response: attestation),
            json(
                response: attestation
                    + #","authenticatorData":"AAEC","transports":["usb","new one"],"publicKey":"MA","publicKeyAlgorithm":-7"#
            ),
            json(response: attestation + #","transports":[],"publicKey":null,"publicKeyAlgorithm":null"#),
            "\n "
                + json(results: #"{ "appid" : false }"#, response: attestation + #","transports": [ ]"#).replacing(
                    ",", with: " ,\n"),
        ])
    func registration(_ json: String) throws {
        let expected = try JSONDecoder().decode(RegistrationResponse.self, from: Data(json.utf8))
        let read = RegistrationResponse(quickly: Array(json.utf8))
        #expect(read == nil || read == expected)
        #expect(read != nil || json.contains("[ ]") || json.contains(" ,"))
    }

    @Test(
        "Assertions are read as JSONDecoder reads them",
        arguments: [
            json(response: assertion), json(response: assertion + #","userHandle":"AQ""#),
            json(response: assertion + #","userHandle":null"#), json(response: assertion + #","userHandle":"""#),
        ])
    func authentication(_ json: String) throws {
        let expected = try JSONDecoder().decode(AuthenticationResponse.self, from: Data(json.utf8))
        #expect(AuthenticationResponse(quickly: Array(json.utf8)) == expected)
    }

    @Test(
        "Anything unusual is left to JSONDecoder",
        arguments: [
            "", "[]", "{}", json(response: ""), json(response: attestation),
            json(response: assertion.replacing("MEQ", with: "ME=")), json(response: assertion + ","),
            json(response: assertion + #","userHandle":7"#), json(response: assertion + #","signature":"MEQ""#),
            json(#","id":"AQI""#, response: assertion), json(#","authenticatorAttachment":"ü""#, response: assertion),
            json(results: "null", response: assertion), json(results: "[]", response: assertion),
            json(results: #"{"appid":1}"#, response: assertion), json(response: assertion) + " x",
            json(#","authenticatorAttachment":1"#, response: assertion),
        ])
    func unusual(_ json: String) {
        #expect(AuthenticationResponse(quickly: Array(json.utf8)) == nil)
    }

    @Test(
        "Lists of transports that JSONDecoder refuses, or that hold escapes, are left to it",
        arguments: [
            #"["usb",1]"#, #"["u\u0073b"]"#, #"["usb",["nfc"]]"#, #"["usb,nfc"]"#, #"{"usb":1}"#, #"[null]"#, "1.0",
        ])
    func transports(_ list: String) {
        let json = Self.json(response: Self.attestation + #","transports":\#(list)"#)
        #expect(RegistrationResponse(quickly: Array(json.utf8)) == nil)
    }

    @Test(
        "A fraction is left to JSONDecoder",
        arguments: ["-7.0", "1e2", "99999999999999999999", "\"-7\""])
    func numbers(_ number: String) {
        let json = Self.json(response: Self.attestation + #","publicKeyAlgorithm":\#(number)"#)
        #expect(RegistrationResponse(quickly: Array(json.utf8)) == nil)
    }
}
