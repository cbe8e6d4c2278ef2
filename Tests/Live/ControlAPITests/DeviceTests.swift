import Causes
import DeviceActs
import DeviceHost
import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import TestSupport
import Testing

@testable import ControlAPI

/// Devices, acts on them, and acts of their users.
@Suite struct DeviceTests {
    @Test("Devices are made, listed, read and deleted")
    func deviceIsStartedListedAndDeleted() async throws {
        try await Control.run { control in
            let made = try await control.device("iphone-face-id")
            #expect(made.wire.field("Location") == "/v1/devices/phone")
            let second = try await control.post("/v1/devices", ["profile": "iphone-face-id"])
            #expect(second.json["status"]?["name"] == "iphone-face-id")
            let third = try await control.post("/v1/devices", ["profile": "iphone-face-id"])
            #expect(third.json["status"]?["name"] == "iphone-face-id-2")
            let list: [DeviceSummary] = try await control.get("/v1/devices").decode()
            #expect(list.map(\.name) == ["iphone-face-id", "iphone-face-id-2", "phone"])
            let state: DeviceReport = try await control.get("/v1/devices/phone").decode()
            #expect(state.gate?.sensors.first?.templates == ["owner"])
            #expect(state.clock.kind == .simulated)
            #expect(try await control.send("DELETE", "/v1/devices/phone").status == 204)
            #expect(try await control.get("/v1/devices/phone").code == "device.notFound")
            #expect(try await control.send("DELETE", "/v1/devices/phone").status == 404)
        }
    }

    @Test("A name is unique, and a profile must exist")
    func invalidDeviceOrderIsRefused() async throws {
        try await Control.run { control in
            try await control.device("solo-1", "key")
            let taken = try await control.post("/v1/devices", ["profile": "solo-1", "name": "key"])
            #expect(taken.status == 409)
            #expect(taken.code == "device.nameTaken")
            for profile: JSONValue in [
                "nokia-3310", "../README", "/etc/passwd", ["yaml": "name: x"], "solo-1.yaml",
            ] {
                let answer = try await control.post("/v1/devices", ["profile": profile])
                #expect(answer.status == 422)
                #expect(answer.code == "profile.invalid")
            }
        }
    }

    @Test("A request can contain a profile, whose errors name the line")
    func textOfAProfileStartsADevice() async throws {
        try await Control.run { control in
            let yaml = try control.configuration.profiles.profile("solo-1").text
            let made = try await control.post(
                "/v1/devices", ["profile": ["yaml": .text(yaml.replacing("name: solo-1", with: "name: mine"))]])
            #expect(made.status == 201)
            #expect(made.json["status"]?["profile"] == "mine")
            let wrong = try await control.post(
                "/v1/devices", ["profile": ["yaml": .text(yaml.replacing("attachment:", with: "atachment:"))]])
            #expect(wrong.status == 422)
            #expect(wrong.json["error"]?["message"]?.text?.contains("yaml:") == true)
        }
    }

    @Test(
        "The default name is the profile's, with valid characters only",
        arguments: [
            ("../escape", "escape"), ("/etc/passwd", "etc-passwd"), ("Müller's key", "Muller-s-key"), ("..", "device"),
            ("a\\r\\nX: y", "a--X--y"), (String(repeating: "n", count: 60), String(repeating: "n", count: 40)),
        ])
    func defaultNameIsValid(name: String, wanted: String) async throws {
        try await Control.run { control in
            let yaml = try control.configuration.profiles.profile("solo-1").text
            let own = yaml.replacing("name: solo-1", with: "name: \"\(name)\"")
            let made = try await control.post("/v1/devices", ["profile": ["yaml": .text(own)]])
            #expect(made.status == 201)
            #expect(made.json["status"]?["name"]?.text == wanted)
            #expect(made.wire.field("Location") == "/v1/devices/\(wanted)")
            #expect(control.configuration.directory.names() == [wanted])
            let second = try await control.post("/v1/devices", ["profile": ["yaml": .text(own)]])
            #expect(second.json["status"]?["name"]?.text == wanted + "-2")
        }
    }

    @Test("A device that a program starts needs a valid name")
    func startedDeviceNeedsValidName() async throws {
        try await Control.run { control in
            var device = DeviceStartRequest(profile: try control.configuration.profiles.profile("solo-1"))
            for name in ["../x", "", "a b", String(repeating: "n", count: 49)] {
                device.name = name
                let asked = device
                await #expect(throws: ControlError.self) { try await control.server.startDevice(asked) }
            }
            #expect(control.configuration.directory.names().isEmpty)
        }
    }

    @Test("Every act can be sent", arguments: DeviceAct.vocabulary.map(\.word))
    func everyActIsAccepted(word: String) async throws {
        let verb = try #require(DeviceAct.verb(word))
        try await Control.run { control in
            try await control.device("iphone-face-id")
            var arguments: [String: JSONValue] = [:]
            for parameter in verb.parameters {
                arguments[parameter.name] =
                    switch parameter.kind {
                    case .text: .text(word == "fault" ? "counter-stuck" : "owner")
                    case .document: .object(["accounts": []])
                    case .number(let range): .integer(range.lowerBound)
                    case .choice(let choices): .text(choices.first ?? "")
                    }
            }
            var body: [String: JSONValue] = ["verb": .text(word)]
            body["arguments"] = .object(arguments)
            let answer = try await control.post("/v1/devices/phone/acts", .object(body))
            #expect(answer.status == 200)
            let outcome: Outcome = try answer.decode()
            #expect(outcome.done == (outcome.cause == nil && outcome.explanation == nil))
            body["arguments"] = .object(arguments.merging(["surplus": "x"]) { first, _ in first })
            #expect(try await control.post("/v1/devices/phone/acts", .object(body)).status == 400)
        }
    }

    @Test("A device's refusal of an act is not an error and has a cause")
    func refusedActHasCause() async throws {
        try await Control.run { control in
            try await control.device("solo-1", "key")
            let answer = try await control.post(
                "/v1/devices/key/acts", ["verb": "enrol", "arguments": ["template": "x"]])
            let outcome: Outcome = try answer.decode()
            #expect(!outcome.done)
            #expect(outcome.cause == "sensorAbsent" || outcome.cause?.rawValue.isEmpty == false)
            let unknown = try await control.post("/v1/devices/key/acts", ["verb": "fly"])
            #expect(unknown.status == 400)
            #expect(unknown.json["error"]?["message"]?.text?.contains("power-cycle") == true)
            let fault = try await control.post(
                "/v1/devices/key/acts", ["verb": "fault", "arguments": ["name": "gremlins"]])
            #expect(fault.status == 422)
        }
    }

    @Test("Five non-matching faces lock the phone")
    func failedSamplesLockThePhone() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let told = try await control.post(
                "/v1/devices/phone/person/acts", ["acts": ["no-match x 2", "cancel", "no-match x 2", "cancel"]])
            #expect(
                told.json["planned"] == ["no-match", "no-match", "cancel", "no-match", "no-match", "cancel"])
            for _ in 1...2 {
                let result: CeremonyResult = try await control.post(
                    "/v1/devices/phone/ceremonies/get", Options.get()
                ).decode()
                #expect(result.error.name == "NotAllowedError")
                #expect(result.error.cause == "userCancelled" && result.error.reason == "ctap.operationDenied")
                #expect(result.error.deviceReason?.hasSuffix("userCancelled") == true)
            }
            let state: DeviceReport = try await control.get("/v1/devices/phone").decode()
            #expect(state.gate?.consecutiveFailures == 4)
            let plan = try await control.get("/v1/devices/phone/person/acts")
            #expect(plan.json["planned"] == [])
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["no-match", "cancel"]])
            try await control.post("/v1/devices/phone/ceremonies/get", Options.get())
            let locked: DeviceReport = try await control.get("/v1/devices/phone").decode()
            #expect(locked.gate?.lockout == "permanent")
            try await control.post("/v1/devices/phone/acts", ["verb": "lock"])
            try await control.post("/v1/devices/phone/acts", ["verb": "unlock"])
            let open: DeviceReport = try await control.get("/v1/devices/phone").decode()
            #expect(open.gate?.lockout == "none")
        }
    }

    @Test("A PIN and an account that the device does not ask for are listed as ignored")
    func idleAnswersAreListed() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            var order = try #require(Options.create().object)
            order["pins"] = ["1234", "5678"]
            order["account"] = 2
            let made = try await control.post("/v1/devices/phone/ceremonies/create", .object(order))
            #expect(made.json["credential"]?["type"] == "public-key")
            let person = try await control.get("/v1/devices/phone/person/acts").json
            #expect(
                person["ignored"]
                    == .array(
                        ["choose:2", "PIN 1", "PIN 2"].map { ["act": .text($0), "reason": "no prompt asked for it"] })
            )
        }
    }

    @Test("A locked device asks for no PIN and no account, and both are listed as ignored")
    func answersToALockedDeviceAreListed() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/acts", ["verb": "lock"])
            var order = try #require(Options.get().object)
            order["pins"] = ["1234"]
            order["account"] = 9
            let refused: CeremonyResult = try await control.post(
                "/v1/devices/phone/ceremonies/get", .object(order)
            ).decode()
            #expect(refused.error.obstacle != nil)
            let ignored = try await control.get("/v1/devices/phone/person/acts").json["ignored"]?.array ?? []
            #expect(ignored.map { $0["act"] } == ["choose:9", "PIN 1"])
        }
    }

    @Test("An act that its prompt ignores is listed with the reason until the acts are forgotten")
    func ignoredActsAreListed() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let acts: JSONValue = ["no-match x 3", "fallback", "cancel", "match"]
            #expect(
                try await control.post("/v1/devices/phone/person/acts", ["acts": acts]).json["ignored"] == [])
            try await control.post("/v1/devices/phone/ceremonies/get", Options.get())
            let person = try await control.get("/v1/devices/phone/person/acts").json
            #expect(person["planned"] == ["match"])
            let reason: JSONValue = "the prompt asks for the passcode"
            #expect(
                person["ignored"] == [["act": "no-match", "reason": reason], ["act": "fallback", "reason": reason]])
            let forgotten = try await control.send("DELETE", "/v1/devices/phone/person/acts").json
            #expect(forgotten["planned"] == [] && forgotten["ignored"] == [])
        }
    }

    /// An act on a new iphone-face-id, the acts before it, and a part of the explanation.
    static let idleActs: [(before: [JSONValue], act: JSONValue, explanation: String)] = [
        ([], ["verb": "unlock"], "not locked"),
        ([["verb": "lock-out"]], ["verb": "unlock", "arguments": ["by": "biometrics"]], "not locked"),
        ([["verb": "lock"]], ["verb": "lock"], "already in this state"),
        ([], ["verb": "app", "arguments": ["act": "launch"]], "already in this state"),
        ([], ["verb": "app", "arguments": ["act": "resume"]], "already in this state"),
        ([], ["verb": "invalidate-context", "arguments": ["context": "c"]], "no valid context c"),
        ([], ["verb": "domain-state", "arguments": ["context": "c"]], "no context c"),
        (
            [["verb": "store-secret", "arguments": ["name": "t", "access": "none"]]],
            ["verb": "read-secret", "arguments": ["name": "t", "interaction": "no"]], "opens without a prompt"
        ),
    ]

    @Test("An act that changes nothing is not done, and the answer says why", arguments: idleActs)
    func idleActsAreNotDone(before: [JSONValue], act: JSONValue, explanation: String) async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            for act in before {
                #expect(try await control.post("/v1/devices/phone/acts", act).json["done"] == true)
            }
            let answer = try await control.post("/v1/devices/phone/acts", act).json
            #expect(answer["done"] == false && answer["cause"] == nil)
            #expect(answer["explanation"]?.text?.contains(explanation) == true)
            #expect(try await control.get("/v1/devices/phone/acts").json.array?.count == before.count)
        }
    }

    @Test("Planned acts can be forgotten")
    func plannedActsAreForgotten() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["no-match", "match"]])
            #expect(try await control.get("/v1/devices/phone/person/acts").json["planned"] == ["no-match", "match"])
            #expect(try await control.send("DELETE", "/v1/devices/phone/person/acts").json["planned"] == [])
            for word: JSONValue in ["sing", "match x 0", "match x 101", "choose:0", 1] {
                let answer = try await control.post("/v1/devices/phone/person/acts", ["acts": [word]])
                #expect(answer.status == 400)
            }
        }
    }

    @Test("A prompt waits until an act is queued")
    func promptWaitsForAct() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            async let ceremony = control.post("/v1/devices/phone/ceremonies/create", Options.create())
            var prompt: UserState.Prompt?
            while prompt == nil {
                let state: UserState = try await control.get("/v1/devices/phone/person/acts").decode()
                prompt = state.openPrompt
            }
            #expect(prompt?.asksFor == "face")
            #expect(prompt?.rpId == "example.org")
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["match"]])
            #expect(try await ceremony.json["credential"]?["type"] == "public-key")
        }
    }

    @Test("Advancing a simulated clock ends an unanswered prompt; a real clock cannot be advanced")
    func requestAdvancesSimulatedClock() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            async let ceremony = control.post("/v1/devices/phone/ceremonies/create", Options.create())
            while try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] == nil {}
            let before: ClockReport = try await control.get("/v1/devices/phone/clock").decode()
            let after: ClockReport = try await control.post("/v1/devices/phone/clock", ["advance": "2 min"]).decode()
            #expect((after.now - before.now).rounded() == 120)
            let result: CeremonyResult = try await ceremony.decode()
            #expect(result.error.cause == "timedOut")
            #expect(result.error.deviceReason?.hasSuffix("timedOut") == true)
            #expect(result.elapsedSeconds.rounded() == 120)

            try await control.post("/v1/devices", ["profile": "solo-1", "name": "real"])
            let refused = try await control.post("/v1/devices/real/clock", ["advance": "30 s"])
            #expect(refused.status == 409)
            #expect(refused.code == "clock.real")
            let days: ClockReport = try await control.post("/v1/devices/phone/clock", ["advance": "3 d"]).decode()
            #expect((days.now - after.now).rounded() == 3 * 86_400)
            let soon = try await control.post("/v1/devices/phone/clock", ["advance": "soon"])
            #expect(soon.status == 400)
            #expect(soon.json["error"]?["message"]?.text?.contains("ms, s, min, h or d") == true)
            #expect(try await control.post("/v1/devices/phone/clock", ["advance": "99999999 s"]).code == "span.invalid")
            let far = try await control.post("/v1/devices/phone/clock", ["advance": "9999999 h"])
            #expect(far.status == 200)
            var last = 200
            for _ in 1...8 where last == 200 {
                last = try await control.post("/v1/devices/phone/clock", ["advance": "9999999 h"]).status
            }
            #expect(last == 422)
        }
    }

    @Test("Every phone's clock can be set back; a key has none", arguments: ["real", "simulated"])
    func clockIsSetBack(kind: String) async throws {
        try await Control.run { control in
            try await control.post(
                "/v1/devices", ["profile": "pixel-fingerprint", "name": "phone", "clock": .text(kind)])
            let before: ClockReport = try await control.get("/v1/devices/phone/clock").decode()
            let after: ClockReport = try await control.post("/v1/devices/phone/clock", ["setBack": "1 h"]).decode()
            let moved = before.now - after.now
            // A real clock goes on meanwhile.
            #expect(moved <= 3600 && moved > 3000)
            #expect(after.kind.rawValue == kind)
            let state: DeviceReport = try await control.get("/v1/devices/phone").decode()
            #expect(state.clock.now < before.now && state.status.uptimeSeconds >= 0)
            let early = try await control.post("/v1/devices/phone/clock", ["setBack": "40000 d"])
            #expect(early.status == 409 && early.code == "clock.notSet")
            #expect(try await control.post("/v1/devices/phone/clock", [:]).status == 400)
            let both = try await control.post("/v1/devices/phone/clock", ["setBack": "1 s", "advance": "1 s"])
            #expect(both.status == 400)
            try await control.device("solo-1", "key")
            #expect(try await control.post("/v1/devices/key/clock", ["setBack": "1 h"]).code == "clock.notSet")
        }
    }

    @Test("Deleting a device ends the requests that wait at it")
    func deletionEndsWaitingRequests() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            async let ceremony = control.post("/v1/devices/phone/ceremonies/create", Options.create())
            while try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] == nil {}
            #expect(try await control.send("DELETE", "/v1/devices/phone").status == 204)
            let result: CeremonyResult = try await ceremony.decode()
            #expect(result.error.name == "NotAllowedError")
        }
    }

    @Test("A snapshot returns a device of its profile, and no other, to its state")
    func snapshotRestoresState() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let taken = try await control.post("/v1/devices/phone/snapshots", ["name": "empty"])
            #expect(taken.status == 201)
            try await control.post("/v1/devices/phone/ceremonies/create", Options.create())
            #expect(try await control.get("/v1/devices/phone/credentials").json.array?.count == 1)
            #expect(try await control.post("/v1/devices/phone/restore", ["snapshot": "empty"]).status == 200)
            #expect(try await control.get("/v1/devices/phone/credentials").json == [])
            try await control.device("solo-1", "key")
            let other = try await control.post("/v1/devices/key/restore", ["snapshot": "empty"])
            #expect(other.code == "snapshot.ofAnotherKind")
            #expect(try await control.get("/v1/snapshots").json.array?.count == 1)
            #expect(try await control.send("DELETE", "/v1/snapshots/empty").status == 204)
            #expect(try await control.send("DELETE", "/v1/snapshots/empty").status == 404)
            #expect(try await control.post("/v1/devices/phone/restore", ["snapshot": "empty"]).status == 404)
        }
    }

    @Test("A snapshot fits its profile only, not another one of the same name")
    func snapshotFitsItsProfileOnly() async throws {
        try await Control.run { control in
            func make(_ profile: String, _ name: String) async throws {
                let text = try control.configuration.profiles.profile(profile).text
                let own = text.replacing("\nname: \(profile)\n", with: "\nname: twin\n")
                let made = try await control.post(
                    "/v1/devices", ["profile": ["yaml": .text(own)], "name": .text(name)])
                #expect(made.json["status"]?["profile"] == "twin")
            }
            try await make("iphone-face-id", "phone")
            try await make("iphone-face-id", "other")
            try await make("security-key-bio", "key")
            try await control.post("/v1/devices/phone/snapshots", ["name": "kept"])
            let refused = try await control.post("/v1/devices/key/restore", ["snapshot": "kept"])
            #expect(refused.status == 409)
            #expect(refused.code == "snapshot.ofAnotherKind")
            #expect(try await control.post("/v1/devices/other/restore", ["snapshot": "kept"]).status == 200)
        }
    }

    @Test("A PIN is set, changed and entered in a ceremony; a reset erases the key")
    func pinIsSetChangedAndReset() async throws {
        try await Control.run { control in
            try await control.device("security-key-pin", "key")
            #expect(try await control.post("/v1/devices/key/pin", ["newPIN": "12"]).json["done"] == false)
            #expect(try await control.post("/v1/devices/key/pin", ["newPIN": "1234"]).json["done"] == true)
            let wrong: Outcome = try await control.post(
                "/v1/devices/key/pin", ["newPIN": "2345", "currentPIN": "9999"]
            ).decode()
            #expect(wrong.ctapStatus == 0x31)
            #expect(wrong.state.status.pinRetries == 7)
            var order = try #require(Options.create().object)
            let none: CeremonyResult = try await control.post(
                "/v1/devices/key/ceremonies/create", .object(order)
            ).decode()
            #expect(none.error.cause == "userCancelled" && none.error.reason == "client.pinCancelled")
            order["pins"] = ["0000", "1234"]
            let made = try await control.post("/v1/devices/key/ceremonies/create", .object(order))
            #expect(made.json["credential"]?["type"] == "public-key")
            #expect(try await control.get("/v1/devices/key/person/acts").json["ignored"] == [])
            let reset = try await control.post("/v1/devices/key/reset", [:])
            #expect(reset.json["done"] == true)
            #expect(reset.json["state"]?["status"]?["isPINSet"] == false)
            try await control.post("/v1/devices/key/clock", ["advance": "1 h"])
            let late: Outcome = try await control.post("/v1/devices/key/reset", [:]).decode()
            #expect(late.cause?.rawValue.isEmpty == false)
        }
    }

    @Test("An act that no prompt of the device asks for is refused, and no act before it is told")
    func actAtAMissingSensorIsRefused() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", "phone")
            let answer = try await control.post(
                "/v1/devices/phone/person/acts", ["acts": ["no-match", "match:fingerprint"]])
            #expect(answer.status == 422)
            #expect(answer.code == "person.impossible")
            #expect(
                answer.json["error"]?["message"]?.text?.hasPrefix(
                    "match:fingerprint is impossible: phone has no fingerprint sensor; it has face; choose from match, "
                )
                    == true)
            let person = try await control.get("/v1/devices/phone/person/acts")
            #expect(person.json["planned"] == [])
            let possible = person.json["possible"]?.array?.compactMap(\.text) ?? []
            #expect(possible.contains("match") && possible.contains("bad-capture:HINT") && !possible.contains("touch"))
            #expect(!possible.contains("choose:N") && !possible.contains("sample:STATUS"))
        }
    }

    @Test("An act that sets the state in which the device is answers that it is not done, and why")
    func actWithoutEffectSaysSo() async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint", "phone")
            let path = "/v1/devices/phone/acts"
            let online: JSONValue = ["verb": "airplane-mode", "arguments": ["state": "off"]]
            let lock: JSONValue = ["verb": "lock"]
            for (act, isDone) in [(online, false), (lock, true), (lock, false)] {
                let outcome = try await control.post(path, act).json
                #expect(outcome["done"] == .bool(isDone) && outcome["cause"] == nil)
                #expect((outcome["explanation"] == nil) == isDone)
            }
            let connection = try await control.post(
                "/v1/devices/phone/connection", ["action": "tap", "duringCommand": 1])
            #expect(connection.status == 422 && connection.code == "connection.noCommand")
        }
    }

    @Test("A device without USB or NFC cannot be unplugged or tapped")
    func missingConnectionIsRefused() async throws {
        try await Control.run { control in
            try await control.device("solo-1", "key")
            for action: JSONValue in ["unplug", "plug-in", "tap", "remove"] {
                let answer = try await control.post("/v1/devices/key/connection", ["action": action])
                #expect(answer.status == 409)
                #expect(answer.code == "connection.missing")
            }
        }
    }

    @Test("A wrong profile file is named, and the others are listed")
    func wrongProfileIsNamed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "profiles-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let good = PackageRoot.url.appending(path: "profiles/solo-1.yaml")
        try FileManager.default.copyItem(at: good, to: folder.appending(path: "solo-1.yaml"))
        let wrong = folder.appending(path: "mine.yaml")
        try Data("name: mine\ntitel: Mine\n".utf8).write(to: wrong)
        try await Control.run {
            $0.profiles = ProfileLibrary(directory: folder.path)
        } _: { control in
            let files = try await control.get("/v1/profiles").json.array ?? []
            #expect(files.map { $0["name"]?.text } == ["mine", "solo-1"])
            let mistake = files.first?["error"]?.text ?? ""
            #expect(mistake.hasPrefix("\(wrong.path):2:") && mistake.contains("unknown key titel"), "\(mistake)")
            #expect(files.last?["platform"]?.text == "security-key")
        }
    }

    @Test("Profiles and faults are listed")
    func profilesAndFaultsAreListed() async throws {
        try await Control.run { control in
            let profiles: [ProfileEntry] = try await control.get("/v1/profiles").decode()
            #expect(profiles.contains { $0.name == "iphone-face-id" && $0.platform == "ios" })
            #expect(try await control.get("/v1/faults").json.array?.isEmpty == false)
        }
    }
}
