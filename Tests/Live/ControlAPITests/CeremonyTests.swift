import Crypto
import Documents
import Foundation
import SimulatedDevice
import Testing
import WebAuthn

@testable import ControlAPI

/// Ceremonies and their credentials.
@Suite struct CeremonyTests {
    @Test(
        "An app's facet in place of an origin names the member for it",
        arguments: [
            ("android:apk-key-hash:AAAA", true), ("android:apk-key-hash-sha256:AAAA", true),
            ("ios:bundle-id:example.app", true), ("example.org", false),
        ])
    func facetNamesItsMember(origin: String, isFacet: Bool) async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            for (kind, options) in [("create", Options.create()), ("get", Options.get())] {
                var body = options.object ?? [:]
                body["origin"] = .text(origin)
                let answer = try await control.post("/v1/devices/phone/ceremonies/\(kind)", .object(body))
                #expect(answer.status == 422)
                #expect(answer.code == "origin.invalid")
                let message = answer.json["error"]?["message"]?.text ?? ""
                #expect(message.contains("facet") == isFacet)
                #expect(message.contains("associatedDomains") == isFacet)
            }
        }
    }

    @Test(
        "A member that has no effect beside another one is refused",
        arguments: [
            ("ceremonies/get", ["credentialId": "AQID", "account": 1], "account"),
            (
                "ceremonies/get",
                ["origin": ["facet": "android:x", "associatedDomains": []], "topOrigin": "https://a.org"], "topOrigin"
            ),
            (
                "ceremonies/create",
                ["origin": ["facet": "android:x", "associatedDomains": []], "topOrigin": "https://a.org"], "topOrigin"
            ),
            (
                "browser-requests",
                ["origin": ["facet": "android:x", "associatedDomains": []], "topOrigin": "https://a.org"], "topOrigin"
            ),
            ("ceremonies/conditional/pick", ["password": "ada", "pins": ["1"], "account": 9], "pins"),
            ("ceremonies/conditional/pick", ["password": "ada", "account": 9], "account"),
        ] as [(String, [String: JSONValue], String)])
    func idleMemberIsRefused(path: String, members: [String: JSONValue], member: String) async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let passwords: JSONValue = [["name": "ada", "password": "secret"]]
            var waiting = try #require(Options.get().object)
            waiting["passwords"] = passwords
            try await control.post("/v1/devices/phone/ceremonies/conditional", .object(waiting))
            var body = members
            if !path.hasSuffix("pick") {
                let options = path.hasSuffix("create") ? Options.create() : Options.get()
                body = try #require(options.object).merging(members) { $1 }
            }
            let answer = try await control.post("/v1/devices/phone/\(path)", .object(body))
            #expect(answer.status == 422)
            #expect(answer.code == "member.idle")
            #expect(answer.json["error"]?["message"]?.text?.hasPrefix("The member “\(member)” has no effect") == true)
            #expect(try await control.get("/v1/devices/phone/ceremonies/conditional").json["isPending"] == true)
        }
    }

    @Test("A passkey is made and signs; its credential is listed, changed and deleted")
    func credentialIsAddedUsedAndRemoved() async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "key")
            let made = try await control.post("/v1/devices/key/ceremonies/create", Options.create())
            let id = try #require(made.json["credential"]?["id"]?.text)
            // The device's clock stands still.
            #expect(made.json["elapsedSeconds"]?.integer == 0)
            let signed = try await control.post("/v1/devices/key/ceremonies/get", Options.get())
            #expect(signed.json["credential"]?["id"]?.text == id)
            let path = "/v1/devices/key/credentials/\(id)"
            let entry: CredentialEntry = try await control.get(path).decode()
            #expect(entry.rpId == "example.org")
            #expect(entry.userName == "user-AQID")
            #expect(entry.signCount == 2)

            let patch: JSONValue = ["signCount": 41, "backupEligible": true, "backupState": true]
            let changed: CredentialEntry = try await control.send("PATCH", path, patch).decode()
            #expect(changed.signCount == 41)
            #expect(changed.backupState)
            let next = try await control.post("/v1/devices/key/ceremonies/get", Options.get())
            #expect(try Self.authenticatorData(next).signCount == 42)
            #expect(try Self.authenticatorData(next).flags.contains(.backupState))
            try await control.send("PATCH", path, ["signCount": .null])
            let uncounted = try await control.post("/v1/devices/key/ceremonies/get", Options.get())
            #expect(try Self.authenticatorData(uncounted).signCount == 0)
            #expect(try await control.send("PATCH", path, [:]).status == 400)

            #expect(try await control.send("DELETE", path).status == 204)
            #expect(try await control.send("DELETE", path).status == 404)
            let gone: CeremonyResult = try await control.post(
                "/v1/devices/key/ceremonies/get", Options.get()
            ).decode()
            #expect(gone.error.reason == "ctap.noCredentials")
            try await control.post("/v1/devices/key/ceremonies/create", Options.create())
            #expect(try await control.send("DELETE", "/v1/devices/key/credentials").status == 204)
            #expect(try await control.get("/v1/devices/key/credentials").json == [])
        }
    }

    @Test("A registration has the public key of later signatures, as SubjectPublicKeyInfo")
    func thePublicKeyIsInTheRegistration() async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "key")
            func bytes(_ answer: Control.Answer, _ member: String) throws -> [UInt8] {
                let text = try #require(answer.json["credential"]?["response"]?[member]?.text)
                return try #require(Base64URL.decode(text))
            }
            let made = try await control.post("/v1/devices/key/ceremonies/create", Options.create())
            let key = try P256.Signing.PublicKey(derRepresentation: try bytes(made, "publicKey"))
            let used = try await control.post("/v1/devices/key/ceremonies/get", Options.get())
            let signature = try P256.Signing.ECDSASignature(derRepresentation: try bytes(used, "signature"))
            let hash = Array(SHA256.hash(data: try bytes(used, "clientDataJSON")))
            #expect(key.isValidSignature(signature, for: try bytes(used, "authenticatorData") + hash))
        }
    }

    private static func authenticatorData(_ answer: Control.Answer) throws -> AuthenticatorData {
        let text = try #require(answer.json["credential"]?["response"]?["authenticatorData"]?.text)
        return try AuthenticatorData(parsing: try #require(Base64URL.decode(text)))
    }

    @Test(
        "A page's forbidden requests fail as in a browser",
        arguments: [
            (["origin": "http://example.org", "options": ["challenge": "AAAA"]], 200, "SecurityError"),
            (["origin": "https://example.org", "options": [:]], 200, "TypeError"),
            (["origin": "https://example.org", "options": ["challenge": "AA="]], 200, "EncodingError"),
            (["origin": "example.org", "options": ["challenge": "AAAA"]], 422, nil),
            (["origin": "https://example.org/", "options": ["challenge": "AAAA"]], 422, nil),
            (["origin": "https://example.org"], 400, nil),
            (["origin": "https://example.org", "options": "x"], 400, nil),
        ] as [(JSONValue, Int, String?)])
    func forbiddenRequestFailsAsInBrowser(body: JSONValue, status: Int, name: String?) async throws {
        try await Control.run { control in
            try await control.device("solo-1", "key")
            let answer = try await control.post("/v1/devices/key/ceremonies/get", body)
            #expect(answer.status == status)
            #expect(answer.json["error"]?["name"]?.text == name)
        }
    }

    @Test("Each of several simultaneous ceremonies gets its own refusal reason")
    func simultaneousCeremoniesHaveOwnReasons() async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "key")
            let made = try await control.post("/v1/devices/key/ceremonies/create", Options.create())
            let id = try #require(made.json["credential"]?["id"]?.text)
            var again = try #require(Options.create().object)
            var options = try #require(again["options"]?.object)
            options["excludeCredentials"] = [["type": "public-key", "id": .text(id)]]
            again["options"] = .object(options)
            let orders: [(String, JSONValue)] = [
                ("create", .object(again)), ("get", Options.get(allow: ["AQIDBA"])),
            ]
            func failure(_ order: (String, JSONValue)) async throws -> CeremonyFailure {
                let result: CeremonyResult = try await control.post(
                    "/v1/devices/key/ceremonies/\(order.0)", order.1
                ).decode()
                return result.error
            }
            let alone = [try await failure(orders[0]).deviceReason, try await failure(orders[1]).deviceReason]
            #expect(alone[0] != nil && alone[1] != nil && alone[0] != alone[1])
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { (number, try await failure(orders[number % 2])) }
                }
                for try await (number, failure) in group {
                    // A busy device returns no other detail.
                    let reason = failure.reason == "ctap.channelBusy" ? nil : alone[number % 2]
                    // A token that another ceremony gets in between ends the token of this one (CTAP 2.3 §6.5.5.7.2).
                    let command = number % 2 == 0 ? "makeCredential" : "getAssertion"
                    let reasons = [reason, "\(command).pinUvAuthParamInvalid"]
                    #expect(reasons.contains(failure.deviceReason), "\(failure.reason)")
                }
            }
        }
    }

    @Test("An app uses its facet as origin, for its associated domains")
    func appUsesItsFacet() async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            var order = try #require(Options.create().object)
            order["origin"] = ["facet": "android:apk-key-hash:abc", "associatedDomains": ["example.org"]]
            let made = try await control.post("/v1/devices/phone/ceremonies/create", .object(order))
            #expect(made.json["credential"]?["type"] == "public-key")
            order["origin"] = ["facet": "android:apk-key-hash:abc", "associatedDomains": []]
            let refused: CeremonyResult = try await control.post(
                "/v1/devices/phone/ceremonies/create", .object(order)
            ).decode()
            #expect(refused.error.name == "SecurityError")
        }
    }

    @Test("Faults of the transport and of the authenticator reach a ceremony")
    func faultsChangeCeremonies() async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "key")
            try await control.post("/v1/devices/key/ceremonies/create", Options.create())
            func fault(_ name: String) async throws -> CeremonyResult {
                try await control.post(
                    "/v1/devices/key/acts", ["verb": "fault", "arguments": ["name": .text(name), "times": 1]])
                return try await control.post("/v1/devices/key/ceremonies/get", Options.get()).decode()
            }
            #expect(try await fault("status:KEY_STORE_FULL on GetAssertion").error.ctapStatus == 0x28)
            let unplugged = try await fault("unplugged")
            #expect(unplugged.error.reason.hasPrefix("device."))
            try await control.post("/v1/devices/key/acts", ["verb": "no-faults"])
            let well = try await control.post("/v1/devices/key/ceremonies/get", Options.get())
            #expect(well.json["credential"] != nil)
        }
    }

    @Test("Equal seeds on simulated clocks give equal credentials")
    func seedRepeatsKeys() async throws {
        var ids: [JSONValue?] = []
        for _ in 1...2 {
            try await Control.run { control in
                try await control.device("security-key-bio", "key")
                let made = try await control.post("/v1/devices/key/ceremonies/create", Options.create())
                ids.append(made.json["credential"])
            }
        }
        #expect(ids[0] == ids[1])
        #expect(ids[0] != nil)
    }

    @Test("Closing the connection aborts a waiting ceremony")
    func closedConnectionCancelsCeremony() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            let body = Array(try JSONEncoder().encode(Options.create()))
            let fields = control.authorization.merging(["Content-Type": "application/json"]) { first, _ in first }
            try await control.wire.open(
                "POST", "/v1/devices/phone/ceremonies/create", fields: fields, body: body
            ) { _ in
                while try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] == nil {}
            }
            while try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] != nil {}
            let events: EventList = try await control.get("/v1/devices/phone/events").decode()
            #expect(events.events.contains { $0.event.reason?.contains("cancel") == true })
        }
    }
}
