import Causes
import Documents
import SimulatedDevice
import TestSupport
import Testing

@testable import ControlAPI

/// Passkeys and secrets that move between devices, and users' samples.
@Suite struct TravelTests {
    @Test("A passkey of one device of an account signs on the other once it has synced")
    func passkeysSync() async throws {
        try await Control.run { control in
            let phone: JSONValue = ["profile": "iphone-face-id", "name": "phone", "clock": "simulated"]
            #expect(try await control.post("/v1/devices", phone).status == 201)
            try await control.post("/v1/devices", ["profile": "iphone-touch-id", "name": "tablet"])
            let order: JSONValue = ["devices": ["phone", "tablet"], "delay": "20 s"]
            #expect(try await control.send("PUT", "/v1/accounts/icloud", order).status == 204)
            #expect(try await control.send("PUT", "/v1/accounts/icloud", order).code == "account.nameTaken")
            #expect(try await control.send("PUT", "/v1/accounts/other", order).code == "account.unsuitable")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let early = try await control.post("/v1/devices/tablet/ceremonies/get", Options.get())
            #expect(early.json["error"]?["name"] == "NotAllowedError")
            try await control.post("/v1/devices/phone/clock", ["advance": "20 s"])
            let signed = try await control.post("/v1/devices/tablet/ceremonies/get", Options.get())
            #expect(signed.json["credential"]?["id"] != nil)
            let accounts: [AccountState] = try await control.get("/v1/accounts").decode()
            #expect(accounts.map(\.devices) == [["phone", "tablet"]])
            #expect(try await control.send("DELETE", "/v1/accounts/icloud").status == 204)
            #expect(try await control.send("DELETE", "/v1/accounts/icloud").code == "account.notFound")
        }
    }

    @Test("A passkey is shared, and a device is replaced")
    func passkeysAreSharedAndMoved() async throws {
        try await Control.run { control in
            for name in ["old", "new", "friend"] {
                try await control.post("/v1/devices", ["profile": "iphone-face-id", "name": .text(name)])
            }
            let nothing: Outcome = try await control.post("/v1/devices/old/share", ["to": "friend"]).decode()
            #expect(!nothing.done)
            try await control.post("/v1/devices/old/ceremonies/create", Options.create())
            let shared: Outcome = try await control.post("/v1/devices/old/share", ["to": "friend"]).decode()
            #expect(shared.done, "\(shared.cause ?? "")")
            let replaced: Outcome = try await control.post("/v1/devices/old/replace", ["by": "new"]).decode()
            #expect(replaced.done, "\(replaced.cause ?? "")")
            let friend = try await control.post("/v1/devices/friend/ceremonies/get", Options.get())
            #expect(friend.json["credential"] != nil)
            let old = try await control.post("/v1/devices/old/ceremonies/get", Options.get())
            #expect(old.json["error"]?["cause"] == "deviceReplaced")
            #expect(try await control.post("/v1/devices/old/share", ["to": "unknown"]).code == "device.notFound")
        }
    }

    @Test("A passkey travels to another provider as a document in JSON, and records keep no key")
    func passkeysTravelInDocuments() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.device("bitwarden", "vault")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let exported = try await control.post("/v1/devices/phone/acts", ["verb": "export-passkeys"])
            let document = try #require(exported.json["document"])
            #expect(document["exporterRpId"] == "apple.com")
            #expect(exported.json["answer"]?.text?.hasPrefix("1 passkey") == true)
            let key = try #require(document.value(at: "/accounts/0/items/0/credentials/0/key")?.text)
            let imported = try await control.post(
                "/v1/devices/vault/acts", ["verb": "import-passkeys", "arguments": ["document": document]])
            #expect(imported.json["done"] == true, "\(imported.json)")
            #expect(imported.json["document"] == nil)
            let signed = try await control.post("/v1/devices/vault/ceremonies/get", Options.get())
            #expect(signed.json["credential"] != nil)
            for name in ["phone", "vault"] {
                let records = try await control.get("/v1/devices/\(name)/acts").json
                #expect(!String(decoding: try records.bytes(), as: UTF8.self).contains(key))
            }
            let refused = try await control.post(
                "/v1/devices/vault/acts", ["verb": "import-passkeys", "arguments": ["document": [:]]])
            #expect(refused.json["cause"] == "documentDamaged")
            #expect(refused.json["explanation"]?.text?.contains("version is missing") == true)
        }
    }

    @Test("A document may be larger than the bodies of other requests, and has one limit")
    func documentsMayBeLarge() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.device("bitwarden", "vault")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let exported = try await control.post("/v1/devices/phone/acts", ["verb": "export-passkeys"])
            let document = try #require(exported.json["document"]?.object)
            for (length, status) in [(2 << 20, 200), (8 << 20, 422), (10 << 20, 413)] {
                var large = document
                large["unknown"] = .text(String(repeating: "x", count: length))
                let answer = try await control.post(
                    "/v1/devices/vault/acts",
                    ["verb": "import-passkeys", "arguments": ["document": .object(large)]])
                #expect(answer.status == status, "\(length)")
                if status == 200 { #expect(answer.json["done"] == true) }
            }
        }
    }

    @Test("A phone of another provider and platform replaces a phone, but gets no passkeys")
    func replacementOfOtherProviderHasNoPasskeys() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", "old")
            try await control.device("pixel-fingerprint", "pix")
            try await control.post("/v1/devices/old/ceremonies/create", Options.create())
            let replaced: Outcome = try await control.post("/v1/devices/old/replace", ["by": "pix"]).decode()
            #expect(replaced.done)
            #expect(try await control.get("/v1/devices/pix/credentials").json == [])
        }
    }

    @Test("A new device of the account's provider replaces the old one in its account")
    func replacementTakesPlaceInAccount() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", "old")
            try await control.device("iphone-touch-id", "new")
            try await control.device("pixel-fingerprint", "pix")
            try await control.send("PUT", "/v1/accounts/icloud", ["devices": ["old"]])
            try await control.post("/v1/devices/old/ceremonies/create", Options.create())
            let refused = try await control.post("/v1/devices/old/replace", ["by": "pix"])
            #expect(refused.code == "device.unsuitable")
            let replaced: Outcome = try await control.post("/v1/devices/old/replace", ["by": "new"]).decode()
            #expect(replaced.done)
            let accounts: [AccountState] = try await control.get("/v1/accounts").decode()
            #expect(accounts.map(\.devices) == [["new"]])
            #expect(try await control.get("/v1/devices/new/credentials").json.array?.count == 1)
        }
    }

    @Test("Devices that cannot be combined are refused with a sentence, and a device's refusal has a label")
    func unsuitableDevicesAreRefused() async throws {
        try await Control.run { control in
            try await control.device("android-device-bound")
            try await control.device("iphone-face-id", "friend")
            try await control.device("solo-1", "key")
            for (path, body): (String, JSONValue) in [
                ("phone/share", ["to": "phone"]), ("phone/replace", ["by": "phone"]), ("phone/replace", ["by": "key"]),
                ("key/share", ["to": "phone"]),
            ] {
                let refused = try await control.post("/v1/devices/\(path)", body)
                #expect(refused.status == 409)
                #expect(refused.code == "device.unsuitable")
            }
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let bound: Outcome = try await control.post("/v1/devices/phone/share", ["to": "friend"]).decode()
            #expect(bound.cause == "deviceBound")
            #expect(bound.explanation?.contains("stays on the device") == true)
        }
    }

    @Test("A device that is locked or in airplane mode begins no ceremony and gives a cause")
    func obstacleEndsCeremony() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post(
                "/v1/devices/phone/acts", ["verb": "airplane-mode", "arguments": ["state": "on"]])
            let offline = try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            #expect(offline.json["error"]?["cause"] == "offline")
            try await control.post("/v1/devices/phone/acts", ["verb": "lock"])
            let locked = try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            #expect(locked.json["error"]?["cause"] == "deviceLocked")
        }
    }

    @Test("Samples follow their model, and are the same for the same seed")
    func samplesFollowTheirModel() async throws {
        try await Control.run { control in
            var runs: [[JSONValue?]] = []
            for name in ["first", "second"] {
                let order: JSONValue = [
                    "profile": "pixel-fingerprint", "name": .text(name), "seed": 5, "clock": "simulated",
                    "samples": ["frr": "90%", "badDays": ["share": "10%", "frr": "100%"]],
                ]
                #expect(try await control.post("/v1/devices", order).status == 201)
                var answers: [JSONValue?] = []
                for _ in 1...12 {
                    let act: JSONValue = ["verb": "verify", "arguments": ["allow": "biometrics"]]
                    answers.append(try await control.post("/v1/devices/\(name)/acts", act).json["cause"])
                    try await control.post("/v1/devices/\(name)/clock", ["advance": "30 s"])
                }
                runs.append(answers)
            }
            #expect(runs[0] == runs[1])
            #expect(runs[0].contains("lockedOut.timed"))
            #expect(try await control.get("/v1/devices/first").json["samplesSeed"] == 5)
            let unseeded: JSONValue = ["profile": "pixel-fingerprint", "samples": ["frr": "50%"]]
            let drawn = try #require(try await control.post("/v1/devices", unseeded).json["samplesSeed"]?.integer)
            #expect((0..<(1 << 53)).contains(drawn))
            let wrong: JSONValue = ["profile": "pixel-fingerprint", "samples": ["frr": "3:1"]]
            #expect(try await control.post("/v1/devices", wrong).code == "samples.invalid")
        }
    }

    @Test("A client's profile extends profiles by name and reads no other file")
    func profileTextReadsNoOtherFile() async throws {
        try await Control.run { control in
            let own = "name: mine\ntitle: Mine\nextends: iphone-face-id\nlockout: { permanent-at: 3 }\n"
            let made = try await control.post("/v1/devices", ["profile": ["yaml": .text(own)]])
            #expect(made.json["gate"]?["policy"]?["permanentLockoutAt"] == 3)
            for path in ["../profiles/iphone-face-id.yaml", "/etc/passwd", "x/y"] {
                let text = "name: mine\ntitle: Mine\nextends: \(path)\n"
                let refused = try await control.post("/v1/devices", ["profile": ["yaml": .text(text)]])
                #expect(refused.code == "profile.invalid")
            }
        }
    }
}
