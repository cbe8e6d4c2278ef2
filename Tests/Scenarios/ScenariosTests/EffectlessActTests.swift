import DeviceProfiles
import Documents
import Testing

@testable import Scenarios

@Suite("Acts and keys without effect")
struct EffectlessActTests {
    private func play(_ steps: [String], at device: String) async throws -> ScenarioReport {
        let text = "name: t\ndevices: { phone: \(device) }\nsteps:\n" + steps.map { "  - \($0)\n" }.joined()
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
    }

    /// A device, the steps before the one that is wrong, that step, and a part of its mismatch.
    static let acts: [(device: String, before: [String], step: String, mismatch: String)] = [
        (
            "iphone-face-id", ["create-account: ada", "register", "sign-out"],
            "sign-in: { person: [no-match x 3, fallback, passcode] }",
            "the prompt ignored no-match, fallback: it asked for the passcode after the 2nd act, no-match"
        ),
        (
            "iphone-face-id", ["create-account: ada", "register", "sign-out"], "sign-in: { person: [fallback, match] }",
            "the prompt ignored fallback: it asked for the face"
        ),
        (
            "iphone-face-id", ["create-account: ada"], "register: { person: \"choose:1\" }",
            "no prompt for choose:1: the step offered no choice of accounts"
        ),
        (
            "security-key-complete", ["create-account: ada"], "register: { person: \"sample:good\" }",
            "no prompt for sample:good"
        ),
        (
            "iphone-face-id", ["create-account: ada"], "register: { person: [match, match] }",
            "no prompt for match: the prompt ended after the 1st act, match: verified.biometric"
        ),
        (
            "iphone-face-id",
            ["create-account: ada", "register", "create-account: bob", "register", "sign-out"],
            "sign-in: { person: [\"choose:2\", match] }",
            "no prompt for match: the prompt ended after the default act, match: verified.biometric; the choice of an "
                + "account comes after the sensor, so write match before choose:2"
        ),
        (
            "security-key-pin",
            ["set-pin: \"1234\"", "create-account: ada", "register: { pin: \"1234\" }", "sign-out"],
            "sign-in: { user-verification: required, pin: [\"1111\", \"1112\", \"1113\", \"1234\"], expect: refused }",
            "no prompt for 1 PIN"
        ),
        ("pixel-fingerprint", [], "airplane-mode: off", "already in this state"),
        ("pixel-fingerprint", ["lock"], "lock", "already in this state"),
        ("pixel-fingerprint", ["app: background"], "app: background", "already in this state"),
        ("pixel-fingerprint", ["lock-out"], "lock-out", "already in this state"),
        ("pixel-fingerprint", [], "sensor: present", "already in this state"),
        ("pixel-fingerprint", [], "no-faults", "already in this state"),
        ("pixel-fingerprint", ["unenrol"], "unenrol", "already in this state"),
        ("pixel-fingerprint", [], "delay-passkey: 0", "already in this state"),
        (
            "iphone-face-id", [], "reset: { person: [touch, touch] }", "no prompt for touch"
        ),
        ("iphone-face-id", ["open"], "open", "the app is already on the screen"),
        ("iphone-face-id", ["open", "switch-to: camera"], "switch-to: camera", "camera is already on the screen"),
        (
            "pixel-fingerprint, tablet: pixel-fingerprint",
            [
                "create-account: ada", "register: { device: phone }",
                "share-passkey: { device: phone, to: tablet, account: ada }",
            ],
            "share-passkey: { device: phone, to: tablet }", "the other device already has the passkey"
        ),
        (
            "iphone-face-id", ["create-account: ada", "register", "export-passkeys: d"], "import-passkeys: d",
            "no passkey is new"
        ),
        ("iphone-face-id", [], "theft-protection: off", "already in this state"),
        ("iphone-face-id", [], "app: launch", "already in this state"),
        ("iphone-face-id", [], "app: resume", "already in this state"),
        ("iphone-face-id", [], "unlock", "not locked"),
        ("iphone-face-id", ["lock-out"], "unlock: { by: passcode }", "not locked"),
        ("iphone-face-id", [], "unlock: { by: biometrics }", "not locked"),
        ("iphone-face-id", [], "forget-passkey", "noCredentials"),
        (
            "iphone-face-id", ["create-account: ada", "register", "forget-passkey"], "forget-passkey", "noCredentials"
        ),
        (
            "iphone-face-id", ["create-account: ada", "register"], "rename-passkey: ada", "already has the name ada"
        ),
        ("iphone-face-id", [], "invalidate-context: c", "no valid context c"),
        (
            "iphone-face-id", ["verify: { context: c }", "invalidate-context: c"], "invalidate-context: c",
            "no valid context c"
        ),
        ("iphone-face-id", [], "slow-server: 0 s", "server was already in this state"),
        ("iphone-face-id", ["slow-server: 2 s"], "slow-server: 2 s", "server was already in this state"),
        ("iphone-face-id", ["slow-server: 2 s", "slow-server: 0 s"], "slow-server: 0 s", "already in this state"),
        ("iphone-face-id", [], "service: { name: bankid }", "service was already in this state"),
        ("iphone-face-id", [], "service: { name: bankid, endpoint: token }", "service was already in this state"),
        ("iphone-face-id", [], "service: { name: bankid, is: available }", "service was already in this state"),
        ("iphone-face-id", [], "service: { name: bankid, latency: 0 s }", "service was already in this state"),
        ("iphone-face-id", [], "provider: bankid", "service was already in this state"),
        ("iphone-face-id", [], "mailbox: {}", "service was already in this state"),
        ("iphone-face-id", [], "mailbox: { delay: 0 s }", "service was already in this state"),
        ("iphone-face-id", [], "gateway: { biometrics: allowed }", "service was already in this state"),
        ("iphone-face-id", [], "well-known: served", "service was already in this state"),
        (
            "iphone-face-id", ["organisation: { name: nordlys, biometrics: required }"],
            "organisation: { name: nordlys, biometrics: required }", "service was already in this state"
        ),
        (
            "iphone-face-id", [], "member: { id: kari, role: peer-mentor }", "the record of kari already was like this"
        ),
        ("iphone-face-id", [], "end-sessions", "the app's backend has no session"),
        (
            "iphone-face-id", ["create-account: ada@example.com", "prove-address: ada@example.com"],
            "prove-address: ada@example.com", "the address ada@example.com was already proved"
        ),
        ("iphone-face-id", [], "conditional-mediation: \"on\"", "browser was already in this state"),
        (
            "iphone-face-id", ["create-account: ada", "register", "sign-out", "failing-server"],
            "sign-in: { tamper: challenge, expect: { outcome: refused, http: 503 } }",
            "the step ended before the response that tamper changes"
        ),
        (
            "iphone-face-id", ["create-account: ada"],
            "register: { person: cancel, tamper: raw-id, expect: { outcome: refused, cause: userCancelled } }",
            "the step ended before the response that tamper changes"
        ),
    ]

    /// A step with an argument that has no effect, the steps before it, and the reason.
    static let arguments: [(device: String, before: [String], step: String, reason: String)] = [
        ("iphone-face-id", [], "store-secret: { name: t, migrates: yes }", "never moves; remove migrates"),
        (
            "iphone-face-id", [], "store-secret: { name: t, access: none, password: p, migrates: yes }",
            "and a password never moves; remove migrates"
        ),
        ("iphone-face-id", [], "store-secret: { name: t, strength: class3 }", "store-secret has no strength on iOS"),
        ("iphone-face-id", [], "store-secret: { name: t, validity: 30 }", "store-secret has no validity on iOS"),
        (
            "iphone-face-id", ["store-secret: t"], "read-secret: { name: t, password: zzz }",
            "t has no password of the app"
        ),
        (
            "iphone-face-id", ["store-secret: { name: t, access: none }", "verify: { context: c }"],
            "read-secret: { name: t, context: c }", "t opens without a prompt; remove context"
        ),
        (
            "iphone-face-id", ["store-secret: { name: t, access: none }"], "read-secret: { name: t, interaction: no }",
            "t opens without a prompt; remove interaction"
        ),
        (
            "iphone-face-id", ["make-key: { name: k, access: none }", "verify: { context: c }"],
            "sign: { name: k, context: c }", "k opens without a prompt; remove context"
        ),
        ("iphone-face-id", [], "verify: { strength: class2 }", "verify has no strength on iOS; remove it"),
        ("iphone-face-id", [], "can-verify: { strength: class2 }", "can-verify has no strength on iOS; remove it"),
        ("iphone-face-id", [], "verify: { allow: passcode, reuse: 10 }", "a prompt for the passcode has no reuse"),
        ("iphone-face-id", [], "domain-state: { context: nope }", "the app has no context nope"),
        (
            "pixel-fingerprint", [], "store-secret: { name: t, migrates: yes }",
            "store-secret has no migrates on Android"
        ),
        ("pixel-fingerprint", [], "store-secret: { name: t, access: none, validity: 30 }", "remove validity"),
        ("pixel-fingerprint", [], "store-secret: { name: t, access: passcode, strength: class2 }", "remove strength"),
        (
            "pixel-fingerprint", ["store-secret: { name: t, access: none }"],
            "read-secret: { name: t, context: nope }", "read-secret has no context on Android"
        ),
        ("iphone-face-id", [], "verify: { reuse: 10 }", "the device was not unlocked with the sensor"),
        ("pixel-fingerprint", [], "verify: { allow: passcode, strength: class2 }", "for the passcode has no strength"),
        ("pixel-fingerprint", [], "verify: { confirmation: no }", "only the match of a face is confirmed"),
        ("pixel-fingerprint", [], "can-verify: { identity-check: yes, strength: class2 }", "takes class3 only"),
    ]

    /// Later steps that see what a step leaves; they are not played, because the step before them fails.
    private static let witnesses = ["check: { device: phone, expect: { credentials: 0 } }", "list-passkeys"]

    @Test(arguments: arguments)
    func anArgumentWithoutEffectFailsItsStep(
        device: String, before: [String], step: String, reason: String
    ) async throws {
        let report = try await play(before + [step] + Self.witnesses, at: device)
        #expect(report.steps.prefix(before.count).allSatisfy { $0.passed }, "\(report.steps.map(\.mismatches))")
        let mismatches = report.steps[before.count].mismatches
        #expect(mismatches.count == 1)
        #expect(mismatches.first?.seen.contains(reason) == true, "\(mismatches)")
    }

    @Test(arguments: acts)
    func anActWithoutEffectFailsItsStep(device: String, before: [String], step: String, mismatch: String) async throws {
        let report = try await play(before + [step] + Self.witnesses, at: device)
        let steps = report.steps[before.count]
        #expect(report.steps.prefix(before.count).allSatisfy { $0.passed }, "\(report.steps.map(\.mismatches))")
        #expect(steps.mismatches.contains { $0.seen.contains(mismatch) }, "\(steps.mismatches)")
        // A refusal that the step does not expect has the step's own line.
        #expect(steps.mismatches.allSatisfy { ($0.line ?? steps.line) == 4 + before.count })
    }

    @Test func anIgnoredActMayBeExpected() async throws {
        let steps = ["create-account: ada", "register", "sign-out"]
        let expected = "sign-in: { person: [fallback, match], expect: { ignored: fallback } }"
        let report = try await play(steps + [expected], at: "iphone-face-id")
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
        let wrong = "sign-in: { person: [fallback, match], expect: { ignored: passcode } }"
        let second = try await play(steps + [wrong], at: "iphone-face-id")
        #expect(second.steps.last?.mismatches.map(\.subject) == ["ignored", "person"])
    }

    @Test func anInterruptionWithoutEffectFailsItsStep() async throws {
        let step = "register: { meanwhile: { airplane-mode: off } }"
        let report = try await play(["create-account: ada", step], at: "pixel-fingerprint")
        #expect(report.steps.last?.mismatches.map(\.seen) == ["none: the device was already in this state"])
    }

    @Test func aFaultThatChangesNoAnswerFailsTheRun() async throws {
        let unused = try await play(["create-account: ada", "register", "fault: rp-id-hash"], at: "pixel-fingerprint")
        #expect(unused.steps.map(\.passed) == [true, true, false])
        #expect(unused.steps.last?.mismatches.map(\.line) == [6])
        // The counter of a phone is always zero.
        let unchanged = try await play(
            ["create-account: ada", "register", "sign-out", "fault: counter-backwards", "sign-in"], at: "iphone-face-id"
        )
        #expect(unchanged.steps.map(\.passed) == [true, true, true, false, true])
        let used = try await play(
            ["create-account: ada", "fault: rp-id-hash", "register: { expect: refused }"], at: "pixel-fingerprint")
        #expect(used.passed, "\(used.steps.map(\.mismatches))")
    }

    @Test func aFailureThatNoRequestMeetsFailsTheRun() async throws {
        let unmet = try await play(
            ["failing-server: { times: 2 }", "create-account: { name: ada, expect: refused }"], at: "pixel-fingerprint")
        #expect(unmet.steps.map(\.passed) == [false, true])
        #expect(unmet.steps.first?.mismatches.map(\.line) == [4])
        #expect(unmet.steps.first?.mismatches.map(\.seen) == ["1 until the end of the run"])
        #expect(unmet.steps.first?.mismatches.map(\.expected) == ["2 requests that fail"])
        let replaced = try await play(
            ["failing-server", "failing-server", "create-account: { name: ada, expect: refused }"],
            at: "pixel-fingerprint")
        #expect(replaced.steps.map(\.passed) == [false, true, true])
        #expect(replaced.steps.first?.mismatches.map(\.seen) == ["none until line 5 changes it"])
    }

    /// A step that changes a setting, a step that does not meet it, and the event that would.
    static let settings: [(step: String, other: String, event: String)] = [
        ("service: { name: vipps, is: silent, endpoint: token }", "open", "the state of vipps"),
        ("service: { name: gateway, latency: 3 s }", "create-account: ada", "the state of gateway"),
        ("provider: { name: vipps, does: wrong-signature }", "open", "an answer of Vipps"),
        ("provider: { name: vipps, resident: ola }", "open", "a login with Vipps"),
        ("provider: { name: vipps, national-id: absent }", "open", "a login with Vipps"),
        ("slow-server: 3 s", "lock: { expect: { screen: locked } }", "a request to the server"),
        ("mailbox: { delay: 3 s }", "create-account: ada", "a message"),
        ("mailbox: { loses-messages: true }", "create-account: ada", "a message"),
        ("well-known: missing", "create-account: ada", "a request for a well-known file"),
        ("gateway: { access-lifetime: 3 min }", "create-account: ada", "a session of the app's backend"),
        ("gateway: { inactivity-limit: 3 min }", "create-account: ada", "a session of the app's backend"),
        ("gateway: { biometrics: required }", "create-account: ada", "a session of the app's backend"),
        ("organisation: { name: havblikk, biometrics: required }", "open", "a session of a member of havblikk"),
        ("sensor: failed", "create-account: ada", "a later step on phone"),
        ("lock-out", "create-account: ada", "a later step on phone"),
        ("require-passcode", "create-account: ada", "a later step on phone"),
        ("airplane-mode: on", "create-account: ada", "a step while phone is in airplane mode"),
        ("permission: off", "create-account: ada", "a prompt or a check on phone by the app"),
        ("permission: off", "verify: { allow: passcode }", "a prompt or a check on phone by the app"),
        ("theft-protection: on", "create-account: ada", "a prompt on phone"),
        ("theft-protection: on", "verify", "a prompt on phone that the protection changes"),
        ("place: away", "verify", "a prompt on phone away from familiar places, with theft protection on"),
        ("delay-passkey: 20", "create-account: ada", "a new passkey"),
    ]

    @Test(arguments: settings)
    func aSettingThatNothingMeetsFailsTheRun(step: String, other: String, event: String) async throws {
        let report = try await play([step, other], at: "iphone-face-id")
        #expect(report.steps.map(\.passed) == [false, true], "\(report.steps.map(\.mismatches))")
        let mismatch = try #require(report.steps[0].mismatches.first)
        #expect(mismatch.line == 4)
        #expect(mismatch.subject == String(step.prefix { $0 != ":" }))
        #expect(mismatch.expected?.contains(event) == true, "\(mismatch)")
        #expect(mismatch.seen == "none until the end of the run")
    }

    /// Settings with steps that meet them, or do not.
    static let uses: [(device: String, steps: [String], isMet: Bool)] = [
        (
            "iphone-face-id",
            [
                "permission: off", "app: { act: install, app: mail }", "app: { act: launch, app: mail }",
                "verify: { app: mail }",
            ], false
        ),
        (
            "iphone-face-id",
            [
                "app: { act: install, app: mail }", "permission: { state: off, app: mail }",
                "app: { act: launch, app: mail }",
                "verify: { app: mail, expect: { outcome: refused, cause: permissionDenied } }",
            ], true
        ),
        (
            "iphone-face-id", ["permission: off", "verify: { allow: biometrics-or-passcode, person: passcode }"], true
        ),
        ("iphone-face-id", ["theft-protection: on", "create-account: ada", "register"], false),
        ("iphone-face-id", ["theft-protection: on", "place: away", "create-account: ada", "register"], true),
        ("pixel-fingerprint", ["theft-protection: on", "verify: { identity-check: yes, expect: refused }"], false),
        ("pixel-fingerprint", ["theft-protection: on", "place: away", "verify: { identity-check: yes }"], true),
        (
            "pixel-face-and-fingerprint",
            [
                "sensor: { state: failed, modality: face }", "sensor: { state: failed, modality: fingerprint }",
                "verify: { allow: passcode }",
            ],
            true
        ),
        ("iphone-face-id", ["verify: { meanwhile: { permission: off } }"], false),
        ("iphone-face-id", ["verify: { meanwhile: { permission: off } }", "verify: { expect: refused }"], true),
        ("iphone-face-id", ["verify: { meanwhile: { delay-passkey: 20 } }"], false),
        ("iphone-face-id", ["create-account: ada", "register: { meanwhile: { delay-passkey: 20 } }"], true),
        (
            "iphone-face-id",
            [
                "create-account: ada",
                "register: { meanwhile: { airplane-mode: on }, expect: { outcome: refused, cause: offline } }",
            ],
            true
        ),
    ]

    @Test(arguments: uses)
    func aSettingIsMetOnlyByWhatItChanges(device: String, steps: [String], isMet: Bool) async throws {
        let report = try await play(steps, at: device)
        #expect(report.passed == isMet, "\(report.steps.map(\.mismatches))")
        guard !isMet else { return }
        #expect(report.steps.flatMap(\.mismatches).map(\.seen) == ["none until the end of the run"])
    }

    /// Keys of a file that the run does not use, the devices and the steps, and the event that would use the key.
    static let unusedKeys: [(keys: String, steps: [String], subject: String, event: String)] = [
        (
            "people: { phone: { frr: 1% } }", ["verify: { person: match }"], "people",
            "a prompt on phone that takes a sample"
        ),
        (
            "sync: { account: icloud, devices: [phone, tablet], delay: 10 s }",
            ["create-account: ada", "register: { device: phone }"], "sync", "a passkey that reaches icloud"
        ),
        (
            "app: { storage-latency: 1 s }", ["switch-to: { device: phone, app: camera, expect: { app: background } }"],
            "storage-latency", "an access of the app to secure storage"
        ),
        (
            "app: { lock-after: 9 min }",
            ["open", "app: background", "app: { act: resume, expect: { app: foreground } }"], "lock-after",
            "a return to the app"
        ),
        ("app: { policy: required }", ["open", "tap: Log in with Vipps"], "policy", "a login, or a start"),
        ("app: { style: domain-state }", ["open", "tap: Log in with Vipps", "tap: Approve"], "style", "an enrolment"),
        (
            "app: { conditional-mediation: false }", ["airplane-mode: on", "open"], "conditional-mediation",
            "a login screen that asks for a passkey"
        ),
    ]

    @Test(arguments: unusedKeys)
    func aKeyThatTheRunDoesNotUseFailsIt(keys: String, steps: [String], subject: String, event: String) async throws {
        let devices = "phone: iphone-face-id" + (subject == "sync" ? ", tablet: iphone-face-id" : "")
        let text = "name: t\ndevices: { \(devices) }\n\(keys)\nsteps:\n" + steps.map { "  - \($0)\n" }.joined()
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
        let mismatches = report.steps.flatMap(\.mismatches)
        #expect(mismatches.map(\.subject) == [subject], "\(mismatches)")
        #expect(mismatches.first?.line == 3)
        #expect(mismatches.first?.expected?.contains(event) == true, "\(mismatches)")
    }

    @Test(arguments: [
        ("lock-after: 9 min", ["app: background", "app: { act: resume, expect: { app: foreground } }"]),
        ("policy: forbidden", []),
        ("style: domain-state", ["tap: { button: Enable, person: match }"]), ("conditional-mediation: false", []),
    ])
    func aKeyOfTheAppIsUsed(key: String, steps: [String]) async throws {
        let login = ["open", "tap: Log in with Vipps", "tap: Approve"]
        let text =
            "name: t\ndevices: { phone: iphone-face-id }\napp: { \(key) }\nsteps:\n"
            + (login + steps).map { "  - \($0)\n" }.joined()
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
    }

    @Test func anExplicitDefaultIsLegal() throws {
        let text = """
            name: t
            devices: { phone: iphone-face-id }
            relying-party: { roaming: true, level: 3, user-verification: preferred, most-passkeys: 20, removal: assertion }
            app: { role: peer-mentor, storage-latency: 0 s }
            steps:
              - open
            """
        let runs = try Scenario.runs(parsing: text, file: "test.yaml", profiles: ShippedScenarioTests.profiles)
        #expect(runs.count == 1)
    }

    @Test func aSettingIsMetBeforeAnotherStepChangesIt() async throws {
        let changed = try await play(["well-known: missing", "well-known: served"], at: "pixel-fingerprint")
        #expect(changed.steps[0].mismatches.map(\.seen) == ["none until line 5 changes it"])
        #expect(changed.steps[1].passed)
        let offline = try await play(["airplane-mode: on"], at: "pixel-fingerprint")
        #expect(offline.steps[0].mismatches.map(\.expected) == ["a step while phone is in airplane mode"])
        let login = ["open", "tap: Log in with Vipps", "tap: Approve"]
        let settings = [
            "service: { name: vipps, latency: 1 s, endpoint: token }", "gateway: { biometrics: required }",
            "provider: { name: vipps, national-id: absent, resident: ola }",
        ]
        let met = try await play(settings + login, at: "pixel-fingerprint")
        #expect(met.passed, "\(met.steps.map(\.mismatches))")
    }

    /// Devices without a display leave the choice to the client; both ask the same user.
    @Test(arguments: ["security-key-pin", "security-key-bio", "iphone-face-id", "pixel-fingerprint"])
    func theChosenAccountSignsIn(device: String) async throws {
        let accounts = ["ada@example.com", "bob@example.com", "eve@example.com"]
        let made = accounts.flatMap {
            ["create-account: \($0)", "register: { resident-key: required }", "sign-out"]
        }
        for (index, account) in accounts.reversed().enumerated() {
            let signIn = "sign-in: { person: \"choose:\(index + 1)\" }"
            let session = "request: { path: /session, expect: { contains: \(account) } }"
            let report = try await play(made + [signIn, session], at: device)
            #expect(report.passed, "\(report.steps.map(\.mismatches))")
        }
        let none = try await play(made + ["sign-in: { person: \"choose:4\" }"], at: device)
        // A key names an account only once the user is verified (CTAP 2.3 §6.2.2 step 12).
        let words = accounts.reversed().enumerated().map { place, account in
            "choose:\(place + 1)" + (device == "security-key-pin" ? "" : " for \(account)")
        }
        let offer = "no prompt for choose:4: the prompt offered 3 accounts, the newest first; write "
        #expect(none.steps.last?.mismatches.map(\.seen) == [offer + words.joined(separator: ", ")])
    }

    @Test(arguments: [
        ("confirm", "security-key-pin", "asks for no confirmation of a match; choose from touch, "),
        ("touch", "iphone-face-id", "verifies its user with a face or a passcode, and no prompt asks for a touch"),
        ("\"choose:0\"", "iphone-face-id", "\"choose:0\" names no account; write choose:1 for the newest one"),
        ("{ choose: 1 }", "iphone-face-id", "expected an act as text, such as choose:1"),
        ("passcode", "security-key-bio", "has no passcode"), ("match", "security-key-pin", "has no sensor"),
        ("match-inattentive", "pixel-fingerprint", "attention of a face only"),
    ])
    func anActForNoPromptOfTheDeviceIsFoundBeforeTheRun(act: String, device: String, reason: String) {
        let text =
            "name: t\ndevices: { phone: \(device) }\nsteps:\n  - create-account: ada\n  - register: { person: \(act) }\n"
        let error = #expect(throws: SourceError.self) {
            _ = try Scenario.runs(parsing: text, file: "test.yaml", profiles: ShippedScenarioTests.profiles)
        }
        #expect(error?.line == 5)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func aContextThatOneStepNamesIsAnError() throws {
        let steps = "  - store-secret: s\n  - verify: { context: login }\n  - read-secret: { name: s, context: "
        let read = { (name: String) in
            _ = try Scenario.runs(
                parsing: "name: t\ndevices: { phone: iphone-face-id }\nsteps:\n\(steps)\(name) }\n", file: "test.yaml",
                profiles: ShippedScenarioTests.profiles)
        }
        try read("login")
        let error = #expect(throws: SourceError.self) { try read("logn") }
        #expect(error?.description.contains("test.yaml:5:5: only this step uses the context \"login\"") == true)
        #expect(error?.description.contains("test.yaml:6:5: only this step uses the context \"logn\"") == true)
    }

    /// A password manager on a phone without a face and a passcode asks for a touch.
    @Test func aTouchIsPossibleAtADeviceThatVerifiesNoUser() async throws {
        let report = try await play(
            ["unenrol", "passcode: remove", "create-account: ada", "register: { person: touch }"], at: "1password")
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
    }

    /// Steps whose last effect, or whose effect on a device, no step shows; and the word of the wrong one.
    static let endings: [(steps: [String], word: String)] = [
        (["create-account: ada", "wait: 1 s"], "wait"),
        (["create-account: ada", "set-clock-back: 1 h"], "set-clock-back"),
        (["create-account: ada", "restart-server"], "restart-server"),
        (["restart-server", "verify: { device: a }"], "restart-server"),
        (["member: { id: kari, role: coordinator }"], "member"), (["end-sessions"], "end-sessions"),
        (["enrol: { device: a, template: x }"], "enrol"), (["lock: { device: a }"], "lock"),
        (["lock: { device: a }", "verify: { device: b }"], "lock"),
        (["app: { device: a, act: background }"], "app"), (["reboot: { device: a }"], "reboot"),
        (["switch-to: { device: a, app: camera }"], "switch-to"),
        (["is-locked-out: { device: a }"], "is-locked-out"),
        (
            ["snapshot: { device: a, name: s }", "verify: { device: a }", "restore: { device: a, name: s }"], "restore"
        ),
        (["create-account: ada", "register: { device: a }", "share-passkey: { device: a, to: b }"], "share-passkey"),
        (
            [
                "create-account: ada", "register: { device: a }", "export-passkeys: { device: a, name: d }",
                "import-passkeys: { device: b, name: d }",
            ], "import-passkeys"
        ),
    ]

    @Test(arguments: endings)
    func aStepWhoseEffectNothingSeesIsAnError(steps: [String], word: String) throws {
        let text =
            "name: t\ndevices: { a: iphone-face-id, b: iphone-face-id }\nsteps:\n"
            + "  - verify: { device: a }\n  - verify: { device: b }\n"
        let read = { (steps: [String]) in
            try Scenario(parsing: text + steps.map { "  - \($0)\n" }.joined(), file: "test.yaml")
        }
        let error = #expect(throws: SourceError.self) { _ = try read(steps) }
        let index = try #require(steps.firstIndex { $0.prefix { $0 != ":" } == word })
        #expect(error?.line == 6 + index)
        #expect(
            error?.message.contains("no expectation and no later step shows the effect of \(word);") == true,
            "\(error?.message ?? "")")
        let seen = ["verify: { device: a }", "verify: { device: b }", "list-passkeys"]
        #expect(throws: Never.self) { _ = try read(steps + seen) }
    }

    @Test(arguments: [
        "wait: { for: 1 s, device: a, expect: { lockout: none } }", "lock: { expect: { screen: locked } }",
        "app: { act: launch, app: mail, expect: refused }", "passcode: { change: set, person: match }", "unlock",
        "set-pin: \"1234\"", "verify",
    ])
    func aLastStepWithAResultIsLegal(step: String) throws {
        #expect(throws: Never.self) {
            _ = try Scenario(parsing: "name: t\ndevices: { a: x }\nsteps:\n  - \(step)\n", file: "test.yaml")
        }
    }

    @Test(arguments: ["person", "pin", "meanwhile", "requirements", "expect", "resident-key", "device"])
    func anEmptyKeyOfAStepIsAnErrorWithItsLine(key: String) {
        let text = """
            name: t
            devices: { phone: iphone-face-id }
            steps:
              - create-account: ada
              - register:
                  \(key):
            """
        let error = #expect(throws: SourceError.self) { _ = try Scenario.runs(parsing: text, file: "test.yaml") }
        #expect(error?.line == 6)
        #expect(
            error?.message.hasSuffix("\(key) is empty; give it a value, or remove it") == true,
            "\(error?.message ?? "")")
    }

    /// Keys of a step that say nothing, and expectations that every step meets.
    static let emptyParts = [
        "person: []", "pin: []", "meanwhile: []", "requirements: []", "expect: {}",
        "meanwhile: { lock: { expect: {} } }",
        "expect: { told: [] }", "expect: { told: \"\" }", "expect: { told: \" \" }", "expect: { contains: \"\" }",
        "expect: { contains: [] }", "expect: { lacks: [] }", "expect: { offers: [] }", "expect: { passes: [] }",
        "expect: { received: [] }", "expect: { body: {} }", "expect: { sent: {} }", "expect: { sends: \"\" }",
        "expect: { items: {} }", "expect: { items: { without: [] } }", "expect: { outcome: [] }", "origin: []",
    ]

    @Test(arguments: emptyParts)
    func anEmptyPartOfAStepIsAnErrorWithItsLine(part: String) {
        let text = "name: t\ndevices: { a: x }\nsteps:\n  - register:\n      \(part)\n"
        let error = #expect(throws: SourceError.self) { _ = try Scenario(parsing: text, file: "test.yaml") }
        #expect(error?.line == 5)
        #expect(error?.message.contains("empty") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("http: none", "verify sends the relying party no request; remove http"),
        ("code: none", "verify sends the relying party no request; remove code"),
        ("http: 200", "verify sends the relying party no request; remove http"),
        ("private-keys-sent: 0", "verify sends the relying party no request; remove private-keys-sent"),
        ("content-type: none", "verify sends the relying party no request; remove content-type"),
        (
            "passkeys: none",
            "verify does not list the relying party's passkeys, as list-passkeys does; remove passkeys"
        ),
        ("user-verified: none", "verify has no ceremony at a client; remove user-verified"),
        ("sign-count: none", "verify has no ceremony at a client; remove sign-count"),
        ("exposed-tokens: 0", "exposed-tokens looks at the reference app, and no step uses the app"),
        ("shows: { without: token }", "shows looks at the reference app, and no step uses the app"),
    ])
    func anExpectationThatTheStepCannotShowIsAnErrorWithItsLine(check: String, message: String) {
        let text =
            "name: t\ndevices: { a: pixel-fingerprint }\nsteps:\n  - verify:\n      person: match\n      expect: { \(check) }\n"
        let error = #expect(throws: SourceError.self) { _ = try Scenario(parsing: text, file: "test.yaml") }
        #expect(error?.line == (message.contains("reference app") ? 4 : 6))
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(
        "The absence of a reason, which each success meets, shows no effect",
        arguments: ["cause: none", "cause: { without: userCancelled }", "told: { without: LAError }", "status: none"])
    func absenceOfAReasonShowsNothing(check: String) {
        let text =
            "name: t\ndevices: { a: pixel-fingerprint }\nsteps:\n  - create-account: ada\n  - lock: { expect: { \(check) } }\n"
        let error = #expect(throws: SourceError.self) { _ = try Scenario(parsing: text, file: "test.yaml") }
        #expect(error?.line == 5)
    }

    @Test(arguments: [
        "tags: []", "requirements: []", "before: []", "people: {}", "people: { a: {} }", "sync: []",
        "relying-party: {}",
        "relying-party: { origins: [] }", "matrix: {}", "parameters: {}", "except: []",
    ])
    func anEmptyKeyOfAFileIsAnErrorWithItsLine(key: String) {
        let text = "name: t\ndevices: { a: x }\n\(key)\nsteps: [register]\n"
        let error = #expect(throws: SourceError.self) { _ = try Scenario(parsing: text, file: "test.yaml") }
        #expect(error?.line == 3)
        #expect(error?.message.contains(" is empty; give it ") == true, "\(error?.message ?? "")")
    }

    @Test func anEmptyListOfAParameterLeavesItsKeyOut() throws {
        let text =
            "name: t\nmatrix: { p: [{ name: iphone-face-id, acts: [] }, { name: pixel-fingerprint, acts: [match] }] }\n"
            + "devices: { a: \"${p}\" }\nsteps:\n  - register: { person: \"${p.acts}\" }\n"
        #expect(try Scenario.runs(parsing: text, file: "test.yaml").map(\.steps[0].person.count) == [0, 1])
    }

    /// A scenario file, and a part of the error at its line.
    static let keys: [(text: String, line: Int, message: String)] = [
        (
            "name: t\nparameters: { pause: 30 s }\ndevices: { phone: iphone-face-id }\nsteps:\n  - create-account: ada\n",
            2, "nothing in the scenario uses ${pause}"
        ),
        (
            "name: t\nmatrix:\n  again: [1, 2]\ndevices: { phone: iphone-face-id }\nsteps:\n  - create-account: ada\n",
            3, "nothing in the scenario uses ${again}"
        ),
        (
            "name: t\ndevices:\n  phone: iphone-face-id\n  key: security-key-pin\nsteps:\n  - register: { device: phone }\n",
            4, "no step uses key"
        ),
        (
            "name: t\ndevices: { key: security-key-pin }\nsteps:\n  - wait: 0 s\n", 4, "a span of zero has no effect"
        ),
        (
            "name: t\ndevices: { key: security-key-pin }\nsteps:\n  - set-clock-back: 0 ms\n", 4,
            "a span of zero has no effect"
        ),
        (
            "name: t\ndevices: { key: security-key-pin }\nsteps:\n  - create-account: ada\n  - snapshot: kept\n", 5,
            "no later step restores the snapshot \"kept\""
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - snapshot: s\n  - lock\n  - snapshot: s\n  - restore: s\n",
            4,
            "a later step takes \"s\" again before one restores it"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - snapshot: s\n  - wait: 1 s\n  - restore: s\n  - verify\n",
            6, "no step changes a since the snapshot \"s\""
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - lock\n  - unlock: biometrics\n", 5,
            "\"biometrics\" is a value of by; give it there"
        ),
        (
            "name: t\nrelying-party: { roaming: false }\ndevices: { a: iphone-face-id }\nsteps:\n"
                + "  - create-account: ada\n  - register\n",
            2, "no step uses roaming: it needs a register at a security key; add one, or remove roaming"
        ),
        (
            "name: t\nrelying-party: { level: 2 }\ndevices: { a: iphone-face-id }\nsteps:\n  - verify\n", 2,
            "no step uses level: it needs a ceremony"
        ),
        (
            "name: t\nrelying-party:\n  user-verification: required\n  most-passkeys: 2\ndevices: { a: iphone-face-id }\n"
                + "steps:\n  - create-account: ada\n  - register\n",
            3, "no step uses user-verification: it needs a sign-in"
        ),
        (
            "name: t\nrelying-party: { most-passkeys: 1 }\ndevices: { a: iphone-face-id }\nsteps:\n  - sign-in\n", 2,
            "no step uses most-passkeys: it needs a register"
        ),
        (
            "name: t\nrelying-party: { removal: local-check }\ndevices: { a: iphone-face-id }\nsteps:\n  - sign-in\n",
            2,
            "no step uses removal: it needs a delete-passkey"
        ),
        (
            "name: t\nrelying-party: { origins: [\"https://other.example\"] }\ndevices: { a: iphone-face-id }\n"
                + "steps:\n  - sign-in\n",
            2, "no step uses origins: it needs a ceremony with caller: app"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - create-account: ada\n  - use-session: two\n", 5,
            "no step uses the session"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - request: { path: /passkeys, keep: { a: /b } }\n", 4,
            "no later request uses {a}"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - register: { expect: { http: 2000 } }\n", 4,
            "a whole number from 100 to 599"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - register: { expect: { prompts: -1 } }\n", 4,
            "a whole number from 0 to"
        ),
        (
            "name: t\ndevices: { key: security-key-pin }\nsteps:\n  - use-session: two\n  - use-session: two\n", 5,
            "the session is two already"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - signal: { of: accepted-credentials, name: x }\n", 4,
            "accepted-credentials says nothing about a name; remove name"
        ),
        (
            "name: t\ndevices: { a: iphone-face-id }\nsteps:\n  - conditional-request: { password: x }\n", 4,
            "it needs password-of, its account; remove password"
        ),
        (
            "name: t\ndevices: { key: security-key-pin }\nsteps:\n  - use-session: app\n", 4,
            "the session is app already"
        ),
        (
            "name: t\ndevices: { key: security-key-pin }\npeople:\n  key: { frr: 3% }\nsteps:\n  - create-account: ada\n",
            4, "key, a security-key-pin, has no sensor"
        ),
        (
            "name: t\nmatrix:\n  p:\n    - { name: pixel-fingerprint, told: BiometricPrompt 99 }\n"
                + "devices: { phone: \"${p}\" }\nsteps:\n  - create-account: ada\n",
            4, "nothing in the scenario uses ${p.told}"
        ),
        (
            "name: t\nmatrix: { p: [pixel-fingerprint, iphone-face-id] }\nexcept:\n  - { p: iphone-face-id }\n"
                + "  - { p: iphone-face-id }\ndevices: { phone: \"${p}\" }\nsteps:\n  - create-account: ada\n",
            5, "earlier exceptions leave these combinations out already"
        ),
        (
            "name: t\ndevices: { phone: iphone-face-id }\npeople:\n  phone: { frr: 0% }\nsteps:\n  - create-account: ada\n",
            4, "all rates are 0, so people has no effect"
        ),
        (
            "name: t\ndevices: { phone: iphone-face-id }\npeople:\n  phone: { far: 1%, frr: 1% }\n"
                + "steps:\n  - create-account: ada\n",
            4, "far has no effect on the user's own samples"
        ),
    ]

    @Test(arguments: keys)
    func aKeyWithoutEffectIsAnError(text: String, line: Int, message: String) {
        let error = #expect(throws: SourceError.self) {
            _ = try Scenario.runs(parsing: text, file: "test.yaml", profiles: ShippedScenarioTests.profiles)
        }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
