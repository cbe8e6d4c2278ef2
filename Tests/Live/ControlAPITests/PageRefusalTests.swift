import Documents
import Testing

@testable import ControlAPI

/// The errors that a page gets, in the words of browsers.
@Suite(.timeLimit(.minutes(30))) struct PageRefusalTests {
    @Test("A device that cannot do what a page requires is a refusal, as in browsers")
    func missingCapabilities() async throws {
        try await PageCarrierTests.withPasskey { control, _ in
            var options = try #require(Options.create()["options"]?.object)
            options["timeout"] = 0
            for (member, value) in [
                ("pubKeyCredParams", [["type": "public-key", "alg": 42]]),
                ("authenticatorSelection", ["authenticatorAttachment": "cross-platform"]),
            ] as [(String, JSONValue)] {
                options[member] = value
                let answer = try await control.post(
                    PageCarrierTests.path, PageCarrierTests.request("create", .object(options)))
                #expect(answer.json["error"]?["name"] == "NotAllowedError")
            }
            var request = try #require(Options.get()["options"]?.object)
            request["timeout"] = 0
            request["allowCredentials"] = [["type": "public-key", "id": "AQID", "transports": ["usb"]]]
            let answer = try await control.post(
                PageCarrierTests.path, PageCarrierTests.request("get", .object(request)))
            #expect(answer.json["warning"]?.text?.contains("other transports") == true)
        }
    }

    @Test(
        "An RP ID that the page may not use is refused in Chromium's words",
        arguments: [("example.com", true), ("5", false), ("", false), ("a b", false), ("127.0.0.1", false)])
    func foreignRelyingParty(claimed: String, isDomain: Bool) async throws {
        try await PageCarrierTests.withPasskey { control, _ in
            let options: JSONValue = ["challenge": Options.challenge, "rpId": .text(claimed)]
            let error = try await control.post(PageCarrierTests.path, PageCarrierTests.request("get", options)).json[
                "error"]
            #expect(error?["name"] == "SecurityError")
            #expect(error?["message"]?.text?.contains("Subsequently") == isDomain)
        }
    }
}
