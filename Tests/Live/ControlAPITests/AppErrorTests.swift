import Documents
import SimulatedDevice
import TestSupport
import Testing

@testable import ControlAPI

/// The errors that apps and their packages get, and the apps' items.
@Suite struct AppErrorTests {
    private func error(_ answer: JSONValue, _ layer: String) -> JSONValue? {
        answer["faces"]?.array?.first { $0["layer"]?.text == layer }
    }

    @Test("A refused act has the errors of the app's platform and packages")
    func actsHaveErrors() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            let refused = try await control.post("/v1/devices/phone/acts", ["verb": "verify"]).json
            #expect(refused["cause"] == "userCancelled")
            #expect(error(refused, "la-error")?["code"] == -2)
            #expect(error(refused, "la-error")?["message"] == "Canceled by user.")
            #expect(error(refused, "expo-local-authentication")?["name"] == "user_cancel")
            #expect(error(refused, "react-native-passkeys") == nil)
            #expect(error(refused, "ctap") == nil)
            let done = try await control.post("/v1/devices/phone/acts", ["verb": "verify"]).json
            #expect(done["done"] == true)
            #expect(done["faces"] == nil)
            let state = try await control.get("/v1/devices/phone").json
            #expect(state["platform"] == "ios")
        }
    }

    @Test(
        "A failed ceremony has the errors of its operation",
        arguments: [
            ("create", "CreateCredentialCancellationException"), ("get", "GetCredentialCancellationException"),
        ])
    func ceremoniesHaveErrors(kind: String, name: String) async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            let options = kind == "create" ? Options.create() : Options.get()
            let failed = try await control.post("/v1/devices/phone/ceremonies/\(kind)", options).json
            #expect(failed["error"]?["cause"] == "userCancelled")
            #expect(error(failed, "androidx-credentials")?["name"]?.text == name)
            #expect(error(failed, "react-native-passkeys")?["name"] == "UserCancelled")
            #expect(error(failed, "dom-exception") == nil)
        }
    }

    @Test("An app that is not associated with the domain is told so")
    func unassociatedApp() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            guard case .object(var body) = Options.create() else { return }
            body["origin"] = ["facet": "https://example.org", "associatedDomains": ["other.example"]]
            let failed = try await control.post("/v1/devices/phone/ceremonies/create", .object(body)).json
            #expect(failed["error"]?["name"] == "SecurityError")
            #expect(error(failed, "as-authorization-error")?["code"] == 1004)
            #expect(error(failed, "react-native-passkey")?["name"] == "RequestFailed")
        }
    }

    @Test("The items of apps are listed without their values")
    func items() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            for act: JSONValue in [
                ["verb": "store-secret", "arguments": ["name": "session", "access": "none", "migrates": "yes"]],
                ["verb": "make-key", "arguments": ["name": "login", "access": "any-biometry", "algorithm": "RS256"]],
            ] {
                #expect(try await control.post("/v1/devices/phone/acts", act).json["done"] == true)
            }
            let items: [SecretEntry] = try await control.get("/v1/devices/phone/secrets").decode()
            #expect(items.map(\.name) == ["login", "session"])
            #expect(items.map(\.access) == [.anyBiometry, .none])
            #expect(items.map(\.isKey) == [true, false])
            #expect(items.map(\.migrates) == [false, true])
            #expect(items.allSatisfy { $0.app == SecretID.defaultApp })
        }
    }

    @Test("On Android storing with the item's key asks for its verification")
    func storingWithTheKey() async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            let store: JSONValue = ["verb": "store-secret", "arguments": ["name": "token", "prompts": "yes"]]
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            let refused = try await control.post("/v1/devices/phone/acts", store).json
            #expect(refused["cause"] == "userCancelled")
            #expect(error(refused, "expo-secure-store")?["name"] == "ERR_AUTHENTICATION")
            #expect(try await control.post("/v1/devices/phone/acts", store).json["done"] == true)
            let idle: JSONValue = [
                "verb": "store-secret", "arguments": ["name": "token", "access": "none", "prompts": "yes"],
            ]
            let outcome = try await control.post("/v1/devices/phone/acts", idle).json
            #expect(outcome["done"] == false)
            #expect(outcome["explanation"]?.text?.hasSuffix("remove prompts") == true)
        }
    }
}
