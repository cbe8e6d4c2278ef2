import Causes
import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import Scenarios
import TestSupport
import Testing

/// Mistakes in a scenario file are reported with their line before anything runs.
struct ScenarioReadingTests {
    static let mistakes: [(text: String, line: Int?, says: String)] = [
        ("", nil, "empty"),
        ("name: t\n", 1, "devices is missing"),
        ("name: t\ndevices: {}\nsteps: [register]\n", 2, "devices is empty"),
        ("name: t\ndevices: { a: x }\nsteps: []\n", 3, "steps is empty"),
        ("name: t\nname: u\n", 1, "name is given twice"),
        ("name: [t\n", 2, "not YAML"),
        ("name: t\nspeed: 3\ndevices: { a: x }\nsteps: [register]\n", 2, "unknown key speed"),
        ("name: t\ndevices: { a: x }\nrequirements: [9Z]\nsteps: [register]\n", 3, "requirement"),
        ("name: t\ndevices: { a: x }\npeople: { c: { frr: 1% } }\nsteps: [register]\n", 3, "no device \"c\""),
        ("name: t\ndevices: { a: x }\npeople: { a: { frr: often } }\nsteps: [register]\n", 3, "expected a rate"),
        ("name: t\ndevices: { a: x }\npeople: { a: { fta: 100% } }\nsteps: [register]\n", 3, "below 1"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - dance\n", 4, "\"dance\" is not a step"),
        ("name: t\ndevices: { a: x, b: y }\nsteps:\n  - register\n", 4, "several devices"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - register: { device: c }\n", 4, "no device \"c\""),
        ("name: t\ndevices: { a: x }\nsteps:\n  - register: { colour: red }\n", 4, "unknown key colour"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - register: { person: wink }\n", 4, "expected an act"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - register: { person: no-match x many }\n", 4, "expected an act"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - wait: 30\n", 4, "span"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - wait: 30 weeks\n", 4, "ms, s, min, h or d"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - check\n", 4, "needs expect"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - create-account\n", 4, "name is missing"),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - register:\n      expect:\n        mood: good\n", 6,
            "cannot be expected"
        ),
        ("name: t\ndevices: { a: x }\nsteps:\n  - register: { expect: fine }\n", 4, "choose one of ok, refused"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - sign-in: { user-verification: maybe }\n", 4, "required, preferred"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - register: {}\n    sign-in: {}\n", 4, "one verb"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - delete-passkey: 0\n", 4, "1 to 100"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - sensor: shiny\n", 4, "present, absent"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - snapshot\n", 4, "name is missing"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - restore: s\n  - snapshot: s\n", 4, "no earlier step"),
        ("name: t\ndevices: { a: x }\nsync: { account: c }\nsteps: [register]\n", 3, "devices is missing"),
        ("name: t\ndevices: { a: x }\nsync: { account: c, devices: [b] }\nsteps: [register]\n", 3, "no device \"b\""),
        (
            "name: t\ndevices: { a: x }\nsync:\n  - { account: c, devices: a }\n  - { account: d, devices: [a] }\n"
                + "steps: [register]\n", 5, "belongs to an account already"
        ),
        (
            "name: t\ndevices: { a: x }\nsync: { account: c, devices: [a], delay: 5 }\nsteps: [register]\n", 3, "span"
        ),
        ("name: t\ndevices: { a: x, b: y }\nsteps:\n  - share-passkey: { device: a, to: c }\n", 4, "no device \"c\""),
        ("name: t\ndevices: { a: x }\napp: { role: coordinator }\nsteps: [register]\n", 3, "no step plays the app"),
        ("name: t\ndevices: { a: x, b: y }\nsteps:\n  - share-passkey: { device: a, to: a }\n", 4, "own device"),
        ("name: t\ndevices: { a: x, b: y }\nsteps:\n  - replace-device: { device: a }\n", 4, "by is missing"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - export-passkeys\n", 4, "name is missing"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - export-passkeys: d\n", 4, "no later step imports \"d\""),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - export-passkeys: d\n  - export-passkeys: d\n  - import-passkeys: d\n",
            4, "exports \"d\" again"
        ),
        ("name: t\ndevices: { a: x }\nsteps:\n  - import-passkeys: d\n", 4, "no earlier step exports \"d\""),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - export-passkeys: { name: d, expect: refused }\n  - import-passkeys: d\n",
            5, "no earlier step exports \"d\""
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - import-passkeys: { name: d, existing: lose }\n", 4,
            "expected one of keep, overwrite"
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - register:\n      meanwhile: { export-passkeys: {} }\n", 5,
            "export-passkeys cannot interrupt a prompt; make it a step of its own"
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - export-passkeys: d\n  - import-passkeys:\n      name: d\n      expect: { passkeys: 1 }\n",
            7, "import-passkeys does not list the relying party's passkeys, as list-passkeys does; remove passkeys"
        ),
        ("name: t\ndevices: { a: x }\nsteps:\n  - app: explode\n", 4, "expected one of install, launch"),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - register:\n      meanwhile: { sign-in: {} }\n", 5,
            "an act on the device"
        ),
        ("name: t\ndevices: { a: x }\nsteps:\n  - wait: 0 s\n", 4, "a span of zero has no effect"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - set-clock-back: 0 min\n", 4, "a span of zero has no effect"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - check: { expect: { screen: dark } }\n", 4, "locked, unlocked"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - check: { expect: { screen: none } }\n", 4, "locked, unlocked"),
        ("name: t\ndevices: { a: x }\nsteps:\n  - check: { expect: { network: none } }\n", 4, "online, offline"),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - wait: { for: 1 s, expect: { lockout: none } }\n", 4,
            "name one with device: a"
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - list-passkeys:\n      expect:\n        credentials: 1\n", 6,
            "credentials needs a device, and list-passkeys has none; remove it"
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - list-passkeys:\n      device: a\n", 5,
            "remove device"
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - sign-out: { person: touch }\n", 4,
            "sign-out does not prompt the user; remove person"
        ),
        ("name: t\ndevices: { a: x }\nsteps:\n  - wait: { for: 1 s, pin: \"1\" }\n", 4, "remove pin"),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - wait: { for: 1 s, meanwhile: lock }\n", 4,
            "remove meanwhile"
        ),
        ("name: t\ndevices: { a: x }\nsteps:\n  - wait: { for: 1 s, device: c }\n", 4, "no device \"c\""),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - register:\n      meanwhile:\n"
                + "        app: { act: kill, expect: { app: killed } }\n", 6, "expect app of the step"
        ),
        (
            "name: t\ndevices: { a: x }\nsteps:\n  - register:\n      meanwhile:\n"
                + "        app: { act: kill, expect: maybe }\n", 6, "choose one of ok, refused"
        ),
        (
            "name: t\ndevices: { a: x, b: y }\nsteps:\n  - snapshot: { device: a, name: s }\n"
                + "  - restore: { device: b, name: s }\n", 5, "\"s\" is of a, which has another profile than b"
        ),
    ]

    /// A misspelt word, and the word it is near to.
    static let misspelt: [(step: String, nearest: String)] = [
        ("regster", "register"), ("register: { person: no-mach }", "no-match"),
        ("register: { person: match x 0 }", "1 to 100 repetitions"),
        ("register: { expect: { outcom: refused } }", "outcome"), ("register: { expect: refusd }", "refused"),
        ("register: { expect: { outcome: refused, cause: userCanceled } }", "userCancelled"),
        ("register: { expect: { outcome: refused, status: UV_BLOKED } }", "UV_BLOCKED"),
        ("register: { expect: { outcome: refused, page: NotAlowedError } }", "NotAllowedError"),
        ("register: { expect: { user-verified: tru } }", "true"),
        ("register: { expect: { http: ok } }", "whole number"),
        ("register: { user-verification: requird }", "required"), ("register: { persn: match }", "person"),
        ("register: { meanwhile: lok }", "lock"), ("app: lauch", "launch"), ("fault: signatur", "signature"),
    ]

    @Test("A misspelt word is found before anything runs, and the nearest word is named", arguments: misspelt)
    func misspeltWordGetsNearestWord(step: String, nearest: String) throws {
        let text = "name: t\ndevices: { a: x }\nsteps:\n  - \(step)\n"
        let error = try #require(#expect(throws: SourceError.self) { try Scenario(parsing: text, file: "s.yaml") })
        #expect(error.line == 4)
        #expect(error.message.contains(nearest), "\(error)")
    }

    @Test("Every declared cause is one that a scenario can expect")
    func everyDeclaredCauseIsKnown() throws {
        let folder = PackageRoot.url.appending(path: "Sources/Protocol/Causes")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var declared: Set<String> = []
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /static let \w+ = Cause\("([^"]+)"\)/) { declared.insert(String(match.1)) }
        }
        #expect(Set(Cause.all.map(\.rawValue)) == declared)
        #expect(Cause.all.count == declared.count)
    }

    @Test("An unknown profile is found when a file is read, with the nearest name")
    func unknownProfileIsFoundWhenFileIsRead() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "name: t\ndevices:\n  a: iphone-face\nsteps: [register]\n".write(
            to: file, atomically: true, encoding: .utf8)
        let error = #expect(throws: SourceError.self) {
            try ScenarioLibrary.runs(of: file.path, profiles: ShippedScenarioTests.profiles)
        }
        #expect(error?.line == 3)
        #expect(error?.message.contains("did you mean iphone-face-id") == true, "\(String(describing: error))")
    }

    @Test(
        "A step that needs a screen is refused at a security key, unless it expects the refusal",
        arguments: [
            ("reboot", false), ("lock", false), ("store-secret: { name: s }", false), ("power-cycle", true),
            ("sign-in: { meanwhile: lock }", false),
            ("reboot: { expect: { outcome: refused, cause: noScreen } }", true),
            ("theft-protection: { state: on }", true),
        ])
    func screensAreChecked(step: String, isRead: Bool) throws {
        let text = "name: t\ndevices: { key: security-key-nfc }\nsteps:\n  - \(step)\n  - register\n"
        let scenario = try Scenario(parsing: text, file: "s.yaml")
        guard !isRead else {
            _ = try scenario.profiles(from: ShippedScenarioTests.profiles)
            return
        }
        let error = #expect(throws: SourceError.self) {
            try scenario.profiles(from: ShippedScenarioTests.profiles)
        }
        #expect(error?.line == 4)
        #expect(error?.message.contains("needs a phone or a computer; key, a security-key-nfc, is a") == true)
    }

    @Test(arguments: mistakes)
    func aMistakeIsReportedWithItsLine(text: String, line: Int?, says: String) throws {
        let error = #expect(throws: SourceError.self) { try Scenario(parsing: text, file: "s.yaml") }
        #expect(error?.file == "s.yaml")
        #expect(error?.line == line, "\(String(describing: error))")
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    }

    @Test func allMistakesOfAFileAreReportedAtOnce() throws {
        let text = """
            name: t
            devices: { phone: iphone-face, key: security-key-pin }
            steps:
              - register: { device: phone, expct: ok }
              - sign-in: { device: fone, person: [mach, match, spof], expect: { outcome: okk, causes: x } }
              - wait: { fro: 20 s }
              - wayt: 20 s
              - together:
                  - sign-in: { device: key, pin: "1", meanwhile: luck }
                  - wait: 20 parsecs
            extra: 1
            """
        let error = #expect(throws: SourceError.self) {
            try Scenario.runs(parsing: text, file: "s.yaml", profiles: ShippedScenarioTests.profiles)
        }
        let mistakes = error?.each ?? []
        let expected: [(line: Int, says: String)] = [
            (2, "unknown profile \"iphone-face\""), (4, "unknown key expct"), (5, "there is no device \"fone\""),
            (5, "did you mean match"), (5, "did you mean spoof"), (5, "\"okk\" is not a value"),
            (5, "\"causes\" cannot be expected"), (6, "unknown key fro"), (7, "\"wayt\" is not a step"),
            (9, "found \"luck\""), (10, "found \"parsecs\""), (11, "unknown key extra"),
        ]
        #expect(mistakes.map(\.line) == expected.map(\.line), "\(mistakes.map(\.description))")
        for (mistake, expected) in zip(mistakes, expected) {
            #expect(mistake.message.contains(expected.says), "\(mistake)")
        }
    }

    @Test func aMistakeOfEveryCombinationIsReportedOnce() {
        let text = """
            name: t
            matrix: { phone: [iphone-face-id, iphone-fac, pixel-fingerprint] }
            devices: { phone: "${phone}" }
            steps: [registr, sign-in]
            """
        let error = #expect(throws: SourceError.self) {
            try Scenario.runs(parsing: text, file: "s.yaml", profiles: ShippedScenarioTests.profiles)
        }
        let mistakes = error?.each ?? []
        #expect(mistakes.count == 2, "\(mistakes.map(\.description))")
        #expect(mistakes.contains { $0.message.contains("registr") && $0.line == 4 })
        #expect(
            mistakes.contains { $0.message.contains("iphone-fac") && $0.message.contains("(with phone=iphone-fac)") })
    }

    @Test func aProfilePathEndsInYAML() throws {
        let scenario = try Scenario(
            parsing: "name: t\ndevices:\n  a: ../../../etc/passwd\nsteps:\n  - sign-out: {}\n", file: "s.yaml")
        let error = #expect(throws: SourceError.self) {
            try scenario.profiles(from: ProfileLibrary(directory: "/none"))
        }
        #expect(error?.description == "s.yaml:3:6: expected a profile's name, or a path that ends in .yaml or .yml")
    }

    @Test func phraseRepeatsAct() throws {
        let text = "name: t\ndevices: { a: x }\nsteps:\n  - register: { person: [no-match x 3, match] }\n"
        #expect(try Scenario(parsing: text, file: "s").steps[0].person.count == 4)
    }
}
