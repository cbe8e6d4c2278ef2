import COSE
import DeviceHost
import Documents
import Foundation
import Testing
import WebAuthn

@testable import ControlAPI

/// The commands of W3C WebDriver, request by request.
@Suite struct WebDriverTests {
    private static let key = try? COSE.PrivateKey(
        algorithm: .es256, rawRepresentation: Array(repeating: 7, count: 32))

    static func credential(
        _ id: String = "AQIDBA", resident: Bool = true, changes: [String: JSONValue] = [:]
    ) throws -> JSONValue {
        let key = try #require(key)
        var members: [String: JSONValue] = [
            "credentialId": .text(id), "isResidentCredential": .bool(resident), "rpId": "example.org",
            "privateKey": .text(Base64URL.encode(key.pkcs8Representation)), "signCount": 5, "userHandle": "CQ",
        ]
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }

    /// Opens a session with one authenticator and hands out the authenticator's path.
    func withAuthenticator(
        strict: Bool = false, _ options: [String: JSONValue] = [:],
        _ use: (Control, _ path: String, _ id: String) async throws -> Void
    ) async throws {
        try await Control.run(configure: { $0.isStrict = strict }) { control in
            let session = try await control.post("/session", ["capabilities": [:]])
            let id = try #require(session.json["value"]?["sessionId"]?.text)
            var all: [String: JSONValue] = [
                "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
                "isUserVerified": true,
            ]
            for (name, value) in options { all[name] = value }
            let root = "/session/\(id)/webauthn/authenticator"
            let added = try await control.post(root, .object(all))
            #expect(added.status == 200)
            let authenticator = try #require(added.json["value"]?.text)
            #expect(authenticator.utf8.count <= 48)
            try await use(control, "\(root)/\(authenticator)", authenticator)
        }
    }

    @Test(
        "A session opens for supported capabilities",
        arguments: [
            (["capabilities": [:]], 200, nil),
            (["capabilities": ["alwaysMatch": ["browserName": "chrome", "goog:chromeOptions": [:]]]], 200, nil),
            (["capabilities": ["firstMatch": [["webauthn:extension:cmtgKey": true], [:]]]], 200, nil),
            (
                ["capabilities": ["alwaysMatch": ["webauthn:extension:cmtgKey": true]]], 500, "session not created"
            ),
            (["capabilities": ["alwaysMatch": ["webauthn:virtualAuthenticators": 1]]], 400, "invalid argument"),
            (
                ["capabilities": ["alwaysMatch": ["a:b": 1], "firstMatch": [["a:b": 1]]]], 400, "invalid argument"
            ),
            ([:], 400, "invalid argument"), ([1], 400, "invalid argument"),
            (["capabilities": ["alwaysMatch": ["touchstone:device": "solo-1"]]], 400, "invalid argument"),
            (["capabilities": ["firstMatch": [["touchstone:devise": "solo-1"]]]], 400, "invalid argument"),
            (["capabilities": ["touchstone:device": "solo-1"]], 400, "invalid argument"),
        ] as [(JSONValue, Int, String?)])
    func capabilitiesAreMatched(body: JSONValue, status: Int, error: String?) async throws {
        try await Control.run { control in
            let answer = try await control.post("/session", body)
            #expect(answer.status == status)
            #expect(answer.webDriverError == error)
            if error == nil {
                #expect(answer.json["value"]?["capabilities"]?["webauthn:virtualAuthenticators"] == true)
            }
        }
    }

    @Test(
        "Options are read as in ChromeDriver, or with --strict as in the specification",
        arguments: [
            (["protocol": "ctap2", "transport": "usb"], 200, 200),
            (["protocol": "ctap2_1", "transport": "ble"], 200, 200),
            (["protocol": "ctap1/u2f", "transport": "nfc"], 200, 200),
            (["protocol": "ctap2_2", "transport": "usb"], 400, 400), (["transport": "usb"], 400, 400),
            (["protocol": "ctap2"], 400, 400), (["protocol": "ctap2", "transport": "cable"], 200, 400),
            (["protocol": "ctap2", "transport": "hybrid"], 200, 200),
            (["protocol": "ctap2", "transport": "smart-card"], 200, 200),
            (["protocol": "ctap2", "transport": "usb", "surplus": 1], 200, 400),
            (["protocol": "ctap2", "transport": "usb", "hasResidentKey": 1], 400, 400),
            (["protocol": "ctap2", "transport": "usb", "extensions": ["hat"]], 500, 500),
            (["protocol": "ctap2", "transport": "usb", "extensions": "prf"], 400, 400),
            (
                [
                    "protocol": "ctap2_1", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
                    "extensions": ["prf", "largeBlob", "credBlob", "minPinLength"],
                ], 200, 200
            ),
            (["protocol": "ctap2_1", "transport": "usb", "hasResidentKey": true], 200, 200),
            (["protocol": "ctap2", "transport": "usb", "defaultBackupState": true], 200, 200),
            (["protocol": "ctap2", "transport": "usb", "touchstone:profile": "yubikey-bio"], 200, 200),
            (["protocol": "ctap2", "transport": "usb", "touchstone:profile": "nokia"], 400, 400),
            (["protocol": "ctap2", "transport": "usb", "touchstone:profil": "yubikey-bio"], 400, 400),
        ] as [([String: JSONValue], Int, Int)])
    func optionsAreRead(options: [String: JSONValue], lenient: Int, strict: Int) async throws {
        for (isStrict, status) in [(false, lenient), (true, strict)] {
            try await Control.run(configure: { $0.isStrict = isStrict }) { control in
                let session = try await control.post("/session", ["capabilities": [:]]).json["value"]?["sessionId"]?
                    .text
                let answer = try await control.post(
                    "/session/\(session ?? "")/webauthn/authenticator", .object(options))
                #expect(answer.status == status)
                #expect(answer.webDriverError == [400: "invalid argument", 500: "unsupported operation"][status])
            }
        }
    }

    @Test("A virtual authenticator is a device of the control API until its session ends")
    func virtualAuthenticatorIsADevice() async throws {
        try await withAuthenticator { control, path, id in
            let state: DeviceReport = try await control.get("/v1/devices/\(id)").decode()
            #expect(state.gate?.isConfigured == true)
            let session = path.split(separator: "/")[1]
            let ended = try await control.send("DELETE", "/session/\(session)")
            #expect(ended.json["value"] == .null)
            #expect(try await control.get("/v1/devices/\(id)").status == 404)
            let gone = try await control.send("DELETE", "/session/\(session)")
            #expect(gone.status == 404)
            #expect(gone.webDriverError == "invalid session id")
            #expect(try await control.get("\(path)/credentials").webDriverError == "invalid session id")
        }
    }

    @Test("Missing sessions, authenticators and commands have WebDriver's errors")
    func unknownSessionOrAuthenticatorIsRefused() async throws {
        try await withAuthenticator { control, path, id in
            #expect(try await control.get(path + "x/credentials").webDriverError == "invalid argument")
            #expect(try await control.get("/session/none/webauthn/authenticator").webDriverError == "unknown method")
            let navigation = try await control.post("/session/none/url", ["url": "https://example.org"])
            #expect(navigation.status == 404)
            #expect(navigation.webDriverError == "unknown command")
            try await control.send("DELETE", "/v1/devices/\(id)")
            #expect(try await control.get("\(path)/credentials").webDriverError == "invalid argument")
        }
    }

    @Test("A credential is added, listed with its key, used, counted, changed and removed", arguments: [false, true])
    func credentialIsAddedUsedAndRemoved(strict: Bool) async throws {
        try await withAuthenticator(strict: strict) { control, path, id in
            let done: JSONValue = strict ? .null : [:]
            let added = try await control.post("\(path)/credential", try Self.credential())
            #expect(added.json == ["value": done])
            let list = try await control.get("\(path)/credentials").json["value"]?.array ?? []
            #expect(list.count == 1)
            #expect(list.first?["signCount"] == 5)
            let key = try #require(list.first?["privateKey"]?.text.flatMap(Base64URL.decode))
            #expect(try COSE.PrivateKey(pkcs8Representation: key).publicKey == Self.key?.publicKey)

            let signed = try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get())
            #expect(signed.json["credential"]?["id"] == "AQIDBA")
            #expect(signed.json["credential"]?["response"]?["userHandle"] == "CQ")
            let counted = try await control.get("\(path)/credentials").json["value"]?.array?.first
            #expect(counted?["signCount"] == 6)

            let props: JSONValue = ["backupEligibility": true, "backupState": true, "signCount": .null]
            #expect(try await control.post("\(path)/credentials/AQIDBA/props", props).json == ["value": done])
            let changed = try await control.get("\(path)/credentials").json["value"]?.array?.first
            #expect(changed?["backupState"] == true)
            #expect(changed?["signCount"] == (strict ? .null : 0))
            #expect(try await control.send("DELETE", "\(path)/credentials/AQIDBA").json == ["value": done])
            #expect(try await control.send("DELETE", "\(path)/credentials/AQIDBA").webDriverError == "invalid argument")
            try await control.post("\(path)/credential", try Self.credential(resident: false))
            #expect(try await control.send("DELETE", "\(path)/credentials").json == ["value": done])
            #expect(try await control.get("\(path)/credentials").json["value"] == [])
            #expect(try await control.send("DELETE", path).json == ["value": done])
            #expect(try await control.get("/v1/devices/\(id)").status == 404)
        }
    }

    @Test(
        "Credentials are read as in ChromeDriver, or with --strict as in the specification",
        arguments: [
            ([:], 200, 200), (["signCount": .null], 200, 200), (["signCount": -1], 400, 400),
            (["signCount": 4_294_967_296], 400, 400), (["credentialId": "AQIDBA=="], 200, 400),
            (["credentialId": "A"], 400, 400), (["credentialId": ""], 400, 400), (["privateKey": "AQID"], 400, 400),
            (["userHandle": .bool(true)], 400, 400), (["rpId": ""], 400, 400), (["surplus": 1], 200, 400),
            (["touchstone:surplus": 1], 400, 400),
            (["largeBlob": "AQID"], 200, 200), (["backupEligibility": true, "backupState": true], 200, 200),
            (["userName": "ada", "userDisplayName": "Ada"], 200, 200),
        ] as [([String: JSONValue], Int, Int)])
    func credentialsAreRead(changes: [String: JSONValue], lenient: Int, strict: Int) async throws {
        for (isStrict, status) in [(false, lenient), (true, strict)] {
            try await withAuthenticator(strict: isStrict) { control, path, _ in
                let answer = try await control.post("\(path)/credential", try Self.credential(changes: changes))
                #expect(answer.status == status)
                guard status == 200 else { return }
                let entry = try await control.get("\(path)/credentials").json["value"]?.array?.first
                for name in ["largeBlob", "backupState", "userName", "userDisplayName"] where changes[name] != nil {
                    #expect(entry?[name] == changes[name])
                }
            }
        }
    }

    @Test("signCount is required, a resident credential needs a user handle, and --strict refuses RSA keys")
    func incompleteCredentialIsRefused() async throws {
        let rsa = try COSE.PrivateKey.generate(.rs256) { count in (0..<count).map { _ in .random(in: .min ... .max) } }
        for isStrict in [false, true] {
            try await withAuthenticator(strict: isStrict) { control, path, id in
                for name in ["signCount", "userHandle", "credentialId", "isResidentCredential", "privateKey", "rpId"] {
                    var body = try #require(try Self.credential().object)
                    body[name] = nil
                    let answer = try await control.post("\(path)/credential", .object(body))
                    #expect(answer.status == 400)
                    #expect(answer.webDriverError == "invalid argument")
                }
                let key = JSONValue.text(Base64URL.encode(rsa.pkcs8Representation))
                let added = try await control.post(
                    "\(path)/credential", try Self.credential(changes: ["privateKey": key]))
                #expect(added.status == (isStrict ? 400 : 200))
                guard !isStrict else { return }
                let signed = try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get())
                #expect(signed.json["credential"]?["id"] == "AQIDBA")
            }
        }
    }

    @Test("A ceremony's credential is listed, discoverable or not, with the backup flags of the options")
    func registeredCredentialIsListed() async throws {
        let options: [String: JSONValue] = ["defaultBackupEligibility": true, "defaultBackupState": true]
        try await withAuthenticator(options) { control, path, id in
            for (user, residentKey) in [("AQ", "required"), ("Ag", "discouraged")] {
                let made = try await control.post(
                    "/v1/devices/\(id)/ceremonies/create", Options.create(user: user, residentKey: residentKey))
                #expect(made.json["credential"]?["authenticatorAttachment"] == "platform")
            }
            let list = try await control.get("\(path)/credentials").json["value"]?.array ?? []
            #expect(list.map { $0["isResidentCredential"] } == [true, false])
            #expect(list.allSatisfy { $0["backupState"] == true })
            // A listed credential can be added elsewhere as it is.
            let copy = try await control.post(
                path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 },
                ["protocol": "ctap2", "transport": "usb", "hasResidentKey": true])
            let other = try #require(copy.json["value"]?.text)
            let root = path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
            #expect(try await control.post("\(root)/\(other)/credential", list[0]).status == 200)
        }
    }

    @Test("A user without verification or consent fails as on a phone; after verification is set, the user succeeds")
    func unverifiedUserFails() async throws {
        try await withAuthenticator(["isUserVerified": false]) { control, path, id in
            try await control.post("\(path)/credential", try Self.credential())
            func get() async throws -> Control.Answer {
                try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get())
            }
            for _ in 1...6 {
                let refused: CeremonyResult = try await get().decode()
                #expect(refused.error.name == "NotAllowedError")
            }
            let state: DeviceReport = try await control.get("/v1/devices/\(id)").decode()
            #expect(state.gate?.lockout == "permanent")
            try await control.post("\(path)/uv", ["isUserVerified": true])
            #expect(try await get().json["credential"] != nil)
            try await control.post("\(path)/uv", ["isUserVerified": false])
            let failed: CeremonyResult = try await get().decode()
            #expect(failed.error.deviceReason?.contains("attemptsExhausted") == true)
            #expect(try await control.post("\(path)/uv", [:]).webDriverError == "invalid argument")
        }
        try await withAuthenticator(["isUserConsenting": false]) { control, path, id in
            try await control.post("\(path)/credential", try Self.credential())
            let declined: CeremonyResult = try await control.post(
                "/v1/devices/\(id)/ceremonies/get", Options.get(uv: "discouraged")
            ).decode()
            #expect(declined.error.name == "NotAllowedError")
        }
    }

    @Test(
        "An unverified user fails once in each ceremony; setting verification clears the lockouts",
        arguments: [
            (["protocol": "ctap2"], 1, 5), (["protocol": "ctap2_1"], 1, 5),
            (["touchstone:profile": "iphone-face-id"], 1, 12), (["touchstone:profile": "security-key-bio"], 1, 5),
            (["touchstone:profile": "pixel-fingerprint"], 1, 12),
        ] as [([String: JSONValue], Int, Int)])
    func ceremonyCostsOneFailedAttempt(options: [String: JSONValue], cost: Int, ceremonies: Int) async throws {
        try await withAuthenticator(options) { control, path, id in
            // A key with a sensor cannot verify the user before it has a PIN; the others accept none.
            try await control.post("/v1/devices/\(id)/pin", ["newPIN": "1234"])
            let made = try await control.post("/v1/devices/\(id)/ceremonies/create", Options.create())
            #expect(made.json["credential"] != nil)
            func get() async throws -> JSONValue {
                try await control.post("/v1/devices/\(id)/ceremonies/get", Options.get()).json
            }
            for count in 1...ceremonies {
                try await control.post("\(path)/uv", ["isUserVerified": false])
                #expect(try await get()["error"]?["name"] == "NotAllowedError")
                guard count == 1 else { continue }
                let state: DeviceReport = try await control.get("/v1/devices/\(id)").decode()
                #expect(state.gate?.consecutiveFailures == cost)
                #expect(state.gate?.lockout == "none")
            }
            try await control.post("\(path)/uv", ["isUserVerified": true])
            #expect(try await get()["credential"] != nil)
            let state: DeviceReport = try await control.get("/v1/devices/\(id)").decode()
            #expect(state.gate?.lockout == "none")
            #expect(state.gate?.deviceCredential?.failedAttempts ?? 0 == 0)
        }
    }

    @Test("A second resident credential of an account is refused, and a PATCH for a backup without eligibility")
    func conflictingCredentialIsRefused() async throws {
        try await withAuthenticator { control, path, id in
            #expect(try await control.post("\(path)/credential", try Self.credential()).status == 200)
            for body in [try Self.credential(), try Self.credential("AQIDBQ")] {
                let refused = try await control.post("\(path)/credential", body)
                #expect(refused.webDriverError == "invalid argument")
            }
            let patched = try await control.send(
                "PATCH", "/v1/devices/\(id)/credentials/AQIDBA", ["backupState": true, "signCount": 9])
            #expect(patched.code == "credential.refused")
            let kept = try await control.get("\(path)/credentials").json["value"]?.array ?? []
            #expect(kept.map { $0["credentialId"] } == ["AQIDBA"])
            #expect(kept.map { $0["backupState"] } == [false] && kept.map { $0["signCount"] } == [5])
            // Another account and a credential that is not resident replace no credential.
            let other = try Self.credential("AQIDBw", changes: ["userHandle": "CA"])
            #expect(try await control.post("\(path)/credential", other).status == 200)
            let hidden = try Self.credential("AQIDCA", resident: false)
            #expect(try await control.post("\(path)/credential", hidden).status == 200)
        }
    }

    @Test("Each protocol registers and signs", arguments: ["ctap1/u2f", "ctap2", "ctap2_1"])
    func everyProtocolWorks(version: String) async throws {
        let options: [String: JSONValue] = [
            "protocol": .text(version), "transport": "usb", "hasResidentKey": false, "hasUserVerification": false,
        ]
        try await withAuthenticator(options) { control, _, id in
            let made = try await control.post(
                "/v1/devices/\(id)/ceremonies/create", Options.create(uv: "discouraged", residentKey: "discouraged"))
            let credential = try #require(made.json["credential"]?["id"]?.text)
            let signed = try await control.post(
                "/v1/devices/\(id)/ceremonies/get", Options.get(uv: "discouraged", allow: [credential]))
            #expect(signed.json["credential"]?["id"]?.text == credential)
        }
    }

    @Test("The extensions of the options work in ceremonies")
    func extensionsWork() async throws {
        let options: [String: JSONValue] = ["protocol": "ctap2_1", "extensions": ["prf", "largeBlob", "credBlob"]]
        try await withAuthenticator(options) { control, path, id in
            var order = try #require(Options.create().object)
            var requested = try #require(order["options"]?.object)
            requested["extensions"] = ["prf": ["eval": ["first": "AQID"]], "largeBlob": ["support": "required"]]
            order["options"] = .object(requested)
            let made = try await control.post("/v1/devices/\(id)/ceremonies/create", .object(order))
            let results = made.json["credential"]?["clientExtensionResults"]
            #expect(results?["prf"]?["enabled"] == true)
            #expect(results?["largeBlob"]?["supported"] == true)
            let credential = try #require(made.json["credential"]?["id"]?.text)

            order = try #require(Options.get(allow: [credential]).object)
            requested = try #require(order["options"]?.object)
            requested["extensions"] = ["prf": ["eval": ["first": "AQID"]], "largeBlob": ["write": "BQYH"]]
            order["options"] = .object(requested)
            let signed = try await control.post("/v1/devices/\(id)/ceremonies/get", .object(order))
            let outputs = signed.json["credential"]?["clientExtensionResults"]
            #expect(outputs?["prf"]?["results"]?["first"]?.text?.isEmpty == false)
            #expect(outputs?["largeBlob"]?["written"] == true)
            #expect(try await control.get("\(path)/credentials").json["value"]?.array?.first?["largeBlob"] == "BQYH")
        }
    }
}
