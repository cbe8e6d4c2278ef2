import Documents
import Foundation
import SimulatedDevice
import TestSupport
import Testing
import WebAuthn

@testable import ControlAPI

/// Conditional requests of a page, and its signals.
@Suite struct PageTests {
    private static let path = "/v1/devices/phone/ceremonies/conditional"

    private static func withPasskey(_ use: (Control) async throws -> Void) async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            let made = try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            #expect(made.json["credential"] != nil)
            try await use(control)
        }
    }

    @Test("A conditional request waits until the user picks the passkey")
    func aRequestWaitsForThePick() async throws {
        try await Self.withPasskey { control in
            let before: PageReport = try await control.get(Self.path).decode()
            #expect(before.isAvailable && !before.isPending)
            let started: PageReport = try await control.post(Self.path, Options.get()).decode()
            #expect(started.isPending && started.error == nil)
            let again: PageReport = try await control.post(Self.path, Options.get()).decode()
            #expect(again.error?.cause == "client.requestPending")
            let modal: CeremonyResult = try await control.post(
                "/v1/devices/phone/ceremonies/get", Options.get()
            ).decode()
            #expect(modal.error.cause == "client.requestPending")

            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            let closed: CeremonyResult = try await control.post(Self.path + "/pick", [:]).decode()
            #expect(closed.error.name == "NotAllowedError")
            #expect(try await control.get(Self.path).json["isPending"] == true)
            let picked = try await control.post(Self.path + "/pick", ["account": 1, "pins": ["1"]])
            let ignored = try await control.get("/v1/devices/phone/person/acts").json["ignored"]?.array ?? []
            #expect(ignored.map { $0["act"] } == ["choose:1", "PIN 1"])
            #expect(picked.json["credential"]?["response"]?["signature"] != nil)
            #expect(try await control.get(Self.path).json["isPending"] == false)
            let modalAfter = try await control.post("/v1/devices/phone/ceremonies/get", Options.get())
            #expect(modalAfter.json["credential"] != nil)
        }
    }

    @Test(
        "A modal request without a gesture of the user is refused where the browser wants one",
        arguments: [("iphone-face-id", true), ("macbook-touch-id", true), ("pixel-fingerprint", false)])
    func aModalRequestNeedsAGesture(profile: String, isRefused: Bool) async throws {
        try await Control.run { control in
            try await control.device(profile)
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let path = "/v1/devices/phone/ceremonies/get"
            // The browser's other rules change; this one stays.
            try await control.send("PATCH", Self.path, ["isAvailable": false])
            var without = try #require(Options.get().object)
            without["gesture"] = false
            let answer = try await control.post(path, .object(without))
            #expect(answer.json["error"]?["cause"] == (isRefused ? "client.gestureMissing" : nil))
            #expect((answer.json["credential"] != nil) == !isRefused)
            // A gesture counts for one request only.
            #expect(try await control.post(path, Options.get()).json["credential"] != nil)
            #expect((try await control.post(path, .object(without)).json["error"] != nil) == isRefused)
        }
    }

    @Test("Requests of several documents at once have a gesture each")
    func eachRequestHasItsGesture() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let path = "/v1/devices/phone/ceremonies/get"
            let causes = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                for _ in 0..<32 {
                    group.addTask { try await control.post(path, Options.get()).json["error"]?["cause"] }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(!causes.contains("client.gestureMissing"))
        }
    }

    @Test("The page aborts its request; without one there is nothing to pick or abort")
    func anAbortedRequestIsGone() async throws {
        try await Self.withPasskey { control in
            for (method, path) in [("DELETE", Self.path), ("POST", Self.path + "/pick")] {
                let body: JSONValue? = method == "POST" ? [:] : nil
                let answer = try await control.send(method, path, body)
                #expect(answer.status == 409)
                #expect(answer.code == "conditional.notPending")
            }
            try await control.post(Self.path, Options.get())
            let aborted: PageReport = try await control.send("DELETE", Self.path).decode()
            #expect(aborted.error?.name == "AbortError")
            #expect(!aborted.isPending)
        }
    }

    @Test("A browser without conditional mediation refuses the request")
    func anUnavailableRequestIsRefused() async throws {
        try await Self.withPasskey { control in
            let page: PageReport = try await control.send("PATCH", Self.path, ["isAvailable": false]).decode()
            #expect(!page.isAvailable)
            let refused: PageReport = try await control.post(Self.path, Options.get()).decode()
            #expect(refused.error?.name == "TypeError")
            #expect(!refused.isPending)
            try await control.send("PATCH", Self.path, ["isAvailable": true])
            let foreign: PageReport = try await control.post(
                Self.path, ["origin": "https://example.com", "options": try #require(Options.get()["options"])]
            ).decode()
            #expect(foreign.error?.name == "SecurityError")
            let malformed: PageReport = try await control.post(
                Self.path, ["origin": "https://example.org", "options": [:]]
            ).decode()
            #expect(malformed.error?.name == "TypeError")
        }
    }

    @Test("A stored password is offered beside the passkey, and each can be picked")
    func aPasswordIsOfferedAsWell() async throws {
        try await Self.withPasskey { control in
            var request = try #require(Options.get().object)
            request["passwords"] = [["name": "ada", "password": "correct horse"]]
            try await control.post(Self.path, .object(request))
            let unknown = try await control.post(Self.path + "/pick", ["password": "grace"])
            #expect(unknown.status == 422)
            #expect(unknown.code == "suggestion.unknown")
            let picked = try await control.post(Self.path + "/pick", ["password": "ada"])
            #expect(picked.json["password"] == ["name": "ada", "password": "correct horse"])
            try await control.post(Self.path, .object(request))
            #expect(try await control.post(Self.path + "/pick", [:]).json["credential"] != nil)
        }
    }

    @Test("Signals delete and rename the passkeys they concern, and no others")
    func signalsChangePasskeys() async throws {
        try await Self.withPasskey { control in
            let signals = "/v1/devices/phone/signals/"
            func credentials() async throws -> [CredentialEntry] {
                try await control.get("/v1/devices/phone/credentials").decode()
            }
            let id = Base64URL.encode(try #require(try await credentials().first).credentialId.bytes)
            func signal(_ name: String, _ body: JSONValue) async throws {
                #expect(try await control.post(signals + name, body).status == 204)
            }
            try await signal("unknown-credential", ["rpId": "example.com", "credentialId": .text(id)])
            try await signal(
                "all-accepted-credentials",
                ["rpId": "example.org", "userId": "AQID", "allAcceptedCredentialIds": [.text(id)]])
            try await signal(
                "current-user-details",
                ["rpId": "example.org", "userId": "AQID", "name": "countess", "displayName": "Ada"])
            #expect(try await credentials().map(\.userName) == ["countess"])
            try await signal(
                "all-accepted-credentials", ["rpId": "example.org", "userId": "AQID", "allAcceptedCredentialIds": []])
            #expect(try await credentials().isEmpty)

            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let next = Base64URL.encode(try #require(try await credentials().first).credentialId.bytes)
            try await signal("unknown-credential", ["rpId": "example.org", "credentialId": .text(next)])
            #expect(try await credentials().isEmpty)
            let malformed = try await control.post(
                signals + "unknown-credential", ["rpId": "example.org", "credentialId": "="])
            #expect(malformed.status == 422)
            #expect(malformed.code == "base64url.malformed")
        }
    }
}
