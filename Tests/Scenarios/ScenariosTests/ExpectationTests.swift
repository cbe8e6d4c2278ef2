import Documents
import Foundation
import RelyingPartyServer
import SimulatedDevice
import TestSupport
import Testing

@testable import Scenarios

/// An unmet expectation fails its step and reports the expected and the observed value and the events before.
struct ExpectationTests {
    private func play(_ steps: String, device: String = "pixel-fingerprint") async throws -> ScenarioReport {
        let text = "name: t\ndevices:\n  phone: \(device)\nsteps:\n" + steps
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
    }

    @Test func aWrongStatusIsReportedWithLineExpectationObservationAndEvents() async throws {
        let report = try await play(
            """
              - create-account: ada
              - register
              - sign-out
              - sign-in:
                  person: cancel
                  expect: { outcome: refused, status: UV_BLOCKED }
              - sign-in

            """)
        #expect(!report.passed)
        let step = report.steps[3]
        let mismatch = try #require(step.mismatches.first)
        #expect(step.mismatches.count == 1)
        #expect(mismatch.line == 10)
        #expect(mismatch.subject == "status")
        #expect(mismatch.expected == "UV_BLOCKED")
        #expect(mismatch.seen == "OPERATION_DENIED")
        #expect(step.events.contains { $0.reason == "clientPIN.builtInUV.userCancelled" })
        #expect(!report.steps[4].wasPlayed)
    }

    @Test func anUnexpectedRefusalFailsTheStep() async throws {
        let report = try await play("  - create-account: ada\n  - register: { person: cancel }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["outcome"])
        #expect(report.steps[1].mismatches[0].seen == "refused (userCancelled)")
    }

    @Test func aMissingRefusalFailsTheStep() async throws {
        let report = try await play("  - create-account: ada\n  - register: { expect: refused }\n")
        #expect(report.steps[1].mismatches[0].expected == "refused")
        #expect(report.steps[1].mismatches[0].seen == "ok")
    }

    @Test func anActThatNoPromptAsksForFailsTheStep() async throws {
        let report = try await play("  - create-account: ada\n  - register: { person: [match, no-match] }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["person"])
    }

    /// The user cancels a prompt of a Pixel: BiometricPrompt 10 ERROR_USER_CANCELED.
    @Test(
        arguments: [
            ("BiometricPrompt 10", true), ("BiometricPrompt 10 ERROR_USER_CANCELED", true), ("\"10\"", true),
            ("BiometricPrompt 10 ERROR_USER", false), ("CANCELED", false), ("e", false),
            ("BiometricPrompt 1", false), ("\"1\"", false), ("\"0\"", false), ("{ without: BiometricPrompt 1 }", true),
            ("{ without: BiometricPrompt 10 }", false),
            // No error of Android: the expectation would always hold.
            ("{ without: LAError -2 }", false), ("{ without: BiometricPromt 10 }", false),
            ("{ without: DOMException AbortError }", true),
        ] as [(String, Bool)])
    func theWordsAndNumbersOfAnExpectedErrorAreWhole(told: String, isMet: Bool) async throws {
        let report = try await play("  - verify: { person: cancel, expect: { outcome: refused, told: \(told) } }\n")
        #expect(report.passed == isMet, "\(report.steps[0].mismatches)")
    }

    @Test func aPINThatIsNotAskedForFailsAStepThatSucceeds() async throws {
        let report = try await play("  - create-account: ada\n  - register: { pin: \"1234\" }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["pin"])
        #expect(report.steps[1].mismatches[0].seen == "no prompt for 1 PIN")
    }

    @Test func anActAtASensorThatTheDeviceLacksIsFoundBeforeTheRun() async throws {
        await #expect(throws: SourceError.self) {
            _ = try await play("  - create-account: ada\n  - register: { person: \"match:face\" }\n")
        }
    }

    @Test("An interruption without an open prompt fails the step")
    func interruptionWithoutPromptFailsStep() async throws {
        let report = try await play(
            "  - create-account: ada\n  - register: { person: match, meanwhile: { app: background } }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["meanwhile"])
    }

    @Test("A refused interruption fails the step unless the refusal was expected")
    func refusedInterruptionFailsStep() async throws {
        let step =
            "  - create-account: ada\n  - register: { meanwhile: [ { unenrol: unknown }, { app: clear-data } ] }\n"
        let report = try await play(step, device: "iphone-face-id")
        let mismatches = report.steps[1].mismatches
        #expect(mismatches.map(\.subject) == ["meanwhile", "meanwhile"])
        #expect(mismatches.map(\.line) == [6, 6])
        #expect(mismatches.map(\.expected) == ["unenrol: outcome ok", "app: outcome ok"])
        let causes = try mismatches.map { mismatch in
            try #require(mismatch.seen.wholeMatch(of: /refused \((\w+): .+\)/)).output.1
        }
        let expected = zip(["{ unenrol: { template: unknown", "{ app: { act: clear-data"], causes).map { act, cause in
            "\(act), expect: { outcome: refused, cause: \"\(cause)\" } } }"
        }
        let other = try await play(
            "  - create-account: ada\n  - register: { meanwhile: [ \(expected.joined(separator: ", ")) ] }\n",
            device: "iphone-face-id")
        #expect(other.passed, "\(other.steps[1].mismatches)")
    }

    @Test("An interruption that succeeds instead of being refused fails the step")
    func succeededInterruptionFailsStep() async throws {
        let report = try await play(
            "  - create-account: ada\n"
                + "  - register: { meanwhile: { enrol: { template: left thumb, expect: refused } } }\n")
        let mismatch = try #require(report.steps[1].mismatches.first)
        #expect(mismatch.subject == "meanwhile")
        #expect(mismatch.expected == "enrol: outcome refused")
        #expect(mismatch.seen == "ok")
    }

    @Test("A wait checks the device that it names")
    func waitChecksItsDevice() async throws {
        let report = try await play(
            "  - lock-out\n  - wait: { for: 31 s, device: phone, expect: { lockout: none, enrolled: none } }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["lockout", "enrolled"])
        #expect(report.steps[1].mismatches.first?.seen == "permanent")
    }

    @Test("A step that takes longer than expected fails", arguments: [("3 s", true), ("2999 ms", false)])
    func elapsed(limit: String, passes: Bool) async throws {
        let report = try await play(
            "  - slow-server: 3 s\n  - create-account: { name: ada, expect: { elapsed: \(limit) } }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == (passes ? [] : ["elapsed"]))
        #expect(report.steps[1].mismatches.first?.seen == (passes ? nil : "3 s"))
    }

    @Test("A failing server has no effect, and only the requests named fail")
    func failingServer() async throws {
        let report = try await play(
            "  - failing-server: { status: 500, times: 2 }\n"
                + "  - create-account: { name: ada, expect: { outcome: refused, http: 500 } }\n"
                + "  - create-account: { name: ada, expect: { outcome: refused, code: http.500 } }\n"
                + "  - create-account: ada\n")
        #expect(report.passed)
    }

    @Test("A device without a sensor has no lockout, which differs from the lockout none")
    func deviceWithoutSensorHasNoLockout() async throws {
        let report = try await play("  - check: { expect: { lockout: none } }\n", device: "security-key-pin")
        #expect(report.steps[0].mismatches.map(\.seen) == ["nothing"])
    }

    @Test("Templates of every sensor are observed")
    func templatesOfEverySensorAreObserved() async throws {
        let report = try await play(
            "  - unenrol\n  - enrol: { template: left thumb, modality: fingerprint, expect: { enrolled: left thumb } }\n"
                + "  - check: { expect: { enrolled: none } }\n",
            device: "pixel-face-and-fingerprint")
        #expect(report.steps[1].passed)
        #expect(report.steps[2].mismatches.map(\.seen) == ["left thumb"])
    }

    @Test("An unreachable relying party fails a step, even one that expects a refusal", arguments: ["ok", "refused"])
    func unreachableRelyingPartyFailsStep(outcome: String) async throws {
        let text =
            "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n"
            + "  - sign-in: { expect: \(outcome) }\n  - list-passkeys: { expect: \(outcome) }\n"
        let scenario = try Scenario(parsing: text, file: "test.yaml")
        let profiles = ShippedScenarioTests.profiles
        let stage = try await Stage(scenario, profiles: profiles, seed: 1, trace: nil)
        try await stage.site().tearDown()
        for (index, step) in scenario.steps.enumerated() {
            let report = await ScenarioRunner(profiles: profiles).play(step, number: index + 1, on: stage)
            #expect(report.mismatches.map(\.subject) == ["step"])
            #expect(report.mismatches.first?.seen.contains("relying party cannot be reached") == true)
            #expect(report.title.hasSuffix("not played to its end"))
        }
        await stage.tearDown()
    }

    @Test("Devices that cannot share an account are refused with the account's line")
    func unsuitableAccountIsRefusedWithItsLine() async throws {
        let text =
            "name: t\ndevices: { a: iphone-face-id, b: security-key-pin }\n"
            + "sync: { account: c, devices: [a, b] }\nsteps:\n  - create-account: ada\n"
        let scenario = try Scenario(parsing: text, file: "test.yaml")
        let error = await #expect(throws: SourceError.self) {
            try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(scenario)
        }
        #expect(error?.line == 3)
        #expect(error?.message.contains("b: security-key-pin makes device-bound passkeys") == true)
    }

    @Test("A refusal expected without its reason is noted with the reason, and fails a strict run")
    func uncheckedReasonIsNoted() async throws {
        let text =
            "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n"
            + "  - register: { person: cancel, expect: refused }\n"
        let scenario = try Scenario(parsing: text, file: "test.yaml")
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(scenario)
        #expect(report.passed)
        #expect(report.steps[1].notes == ["the reason of the refusal (line 5) was not checked: cause: userCancelled"])
        let strict = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, isStrict: true).run(scenario)
        let mismatch = try #require(strict.steps[1].mismatches.first)
        #expect(mismatch.line == 5)
        #expect(mismatch.subject == "cause")
        #expect(mismatch.seen == "cause: userCancelled")
    }

    @Test(
        "A reason that is none or only excluded is not named",
        arguments: ["told: { without: BiometricPrompt 7 }", "cause: { exactly: [] }", "client: none"])
    func excludedReasonIsNotNamed(check: String) async throws {
        let text =
            "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n"
            + "  - failing-server\n  - register: { expect: { outcome: refused, \(check) } }\n"
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, isStrict: true).run(
            Scenario(parsing: text, file: "test.yaml"))
        #expect(report.steps.last?.mismatches.map(\.subject) == ["cause"], "\(report.steps.map(\.mismatches))")
    }

    @Test("A named reason needs no note", arguments: ["cause: userCancelled", "status: OPERATION_DENIED"])
    func namedReasonNeedsNoNote(check: String) async throws {
        let text =
            "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n"
            + "  - register: { person: cancel, expect: { outcome: refused, \(check) } }\n"
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, isStrict: true).run(
            Scenario(parsing: text, file: "test.yaml"))
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
        let notes = report.steps.flatMap(\.notes)
        #expect(notes.isEmpty)
    }

    @Test("A substituted profile keeps the user's acts")
    func substitutedProfileKeepsActs() async throws {
        let text =
            "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n"
            + "  - register: { person: [no-match, match], expect: { user-verified: true, prompts: 2 } }\n"
        let scenario = try Scenario(parsing: text, file: "test.yaml").substituting("security-key-bio", for: "phone")
        #expect(scenario.devices.map(\.profile) == ["security-key-bio"])
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(scenario)
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
        #expect(throws: SourceError.self) { try scenario.substituting("solo-1", for: "fone") }
    }

    /// Each subject with a wrong value.
    static let wrong = [
        "page: AbortError", "status: PIN_INVALID", "reason: reset.userDeclined", "client: client.timeout",
        "cause: timedOut", "http: 500", "code: nothing.here", "ledger: a9", "told: LAError -1", "prompts: 7",
        "ignored: fallback",
        "touches: 7", "user-verified: true", "sign-count: 9", "lockout: permanent", "failures: 4",
        "uv-retries: 4", "pin-retries: 4", "credentials: 4", "enrolled: unknown",
        "backed-up: true", "private-keys-sent: 1", "table: users 9", "answer: 42", "items: token", "screen: locked",
        "network: offline", "app: killed", "shows: home", "offers: Enable", "reveals: 9", "queue: 9", "taps: 9",
        "requests: 9",
        "sends: POST /nothing", "refreshes: 9", "passes: unlock", "exposed-tokens: 9",
        "received: bankid 1", "content-type: text/css", "page-problems: none", "authorization: scope nin",
        "member: kari coordinator 1", "audit: vipps-login updated", "submissions: activity 1",
        "mail: ada@touchstone.example", "contains: nothing of the kind", "lacks: challenge", "fields: Code",
        "content-types: username",
        "user: ada", "passkey-error: user_canceled", "rows: Pixel",
    ]

    @Test(arguments: wrong)
    func everySubjectCanFail(check: String) async throws {
        let report = try await play(
            """
              - create-account: ada
              - open
              - register
              - sign-out
              - sign-in: { person: cancel, expect: { outcome: refused, \(check) } }

            """)
        #expect(report.steps[4].mismatches.map(\.subject) == [String(check.prefix { $0 != ":" })])
    }

    @Test func theNumberOfPasskeysCanFail() async throws {
        let report = try await play(
            "  - create-account: ada\n  - register\n  - list-passkeys: { expect: { passkeys: 3 } }\n")
        #expect(report.steps[2].mismatches.map(\.subject) == ["passkeys"])
    }

    @Test func everySubjectIsTried() {
        let tried = Set(Self.wrong.map { String($0.prefix { $0 != ":" }) })
        // RelyingPartyStepTests tries the members of bodies.
        #expect(
            tried.union(["outcome", "passkeys", "elapsed", "body", "sent", "ready-after"])
                == Set(Expectation.Subject.all.map(\.name)))
    }

    /// Subjects with the device, the steps and the last step after which each has a value.
    static let something: [(subjects: [String], device: String, steps: [String], last: String)] = [
        (
            [
                "page", "status", "reason", "client", "cause", "http", "told", "prompts", "touches", "failures",
                "uv-retries", "private-keys-sent", "table", "credentials", "enrolled", "app", "contains",
            ],
            "pixel-fingerprint", ["create-account: ada", "register", "sign-out"], "sign-in: { person: cancel"
        ),
        (["user-verified", "backed-up"], "pixel-fingerprint", ["create-account: ada"], "register: {"),
        (["sign-count"], "security-key-pin", ["create-account: ada"], "register: {"),
        (
            ["passkeys", "content-type", "page-problems"], "pixel-fingerprint", ["create-account: ada"],
            "list-passkeys: {"
        ),
        (["authorization"], "pixel-fingerprint", ["open"], "tap: { button: Log in with Vipps"),
        (["lockout"], "pixel-fingerprint", [], "lock-out: {"),
        (["received", "member", "submissions"], "pixel-fingerprint", [], "lock-out: {"),
        (["pin-retries"], "security-key-pin", [], "set-pin: { to: \"1234\""),
        (["answer", "items"], "pixel-fingerprint", ["store-secret: token"], "read-secret: { name: token"),
        (
            ["code", "ledger"], "pixel-fingerprint",
            ["create-account: ada", "register", "sign-out", "fault: rp-id-hash"], "sign-in: {"
        ),
        (
            [
                "offers", "reveals", "queue", "taps", "requests", "sends", "refreshes", "exposed-tokens",
            ], "pixel-fingerprint", [], "open: {"
        ),
        (["fields", "content-types"], "pixel-fingerprint", ["open"], "tap: { button: Log in with an e-mail code"),
        (
            ["rows"], "pixel-fingerprint",
            [
                "open", "tap: Log in with an e-mail code", "enter: { field: E-mail, text: ada@example.com }",
                "tap: Send code", "enter-code: ada@example.com", "tap: Verify code", "tap: Add a passkey", "tap: Skip",
                "tap: Settings",
            ], "tap: { button: Passkeys"
        ),
        (["user"], "pixel-fingerprint", ["open", "tap: Log in with BankID"], "tap: { button: Approve"),
        (["passkey-error"], "pixel-fingerprint", ["open"], "tap: { button: Sign in with a passkey"),
        (["shows"], "pixel-fingerprint", ["open", "tap: Log in with BankID"], "tap: { button: Close"),
    ]

    @Test("An expectation of none fails when a value is observed", arguments: something)
    func noneFailsWhenAValueIsObserved(subjects: [String], device: String, steps: [String], last: String) async throws {
        let checks = subjects.map { "\($0): none" }.joined(separator: ", ")
        let separator = last.hasSuffix("{") ? "" : ", "
        for outcome in ["ok", "refused"] {
            let report = try await play(
                (steps + ["\(last)\(separator)expect: { outcome: \(outcome), \(checks) } }"]).map { "  - \($0)\n" }
                    .joined(), device: device)
            let failed = try #require(report.steps.last).mismatches.map(\.subject).filter { $0 != "outcome" }
            #expect(failed == subjects)
        }
    }

    @Test("Every subject that can be none is tried")
    func everySubjectWithNoneIsTried() {
        let tried = Set(Self.something.flatMap(\.subjects))
        // Logins through the services have a value of audit and mail; ServiceStepTests tries them.
        let elsewhere = [
            "outcome", "screen", "network", "elapsed", "body", "sent", "passes", "ready-after", "audit", "mail",
            // EffectlessActTests tries it.
            "ignored",
            // A text that is missing has no value.
            "lacks",
        ]
        #expect(tried.union(elsewhere) == Set(Expectation.Subject.all.map(\.name)))
    }

    @Test func theSameSeedGivesTheSameRun() async throws {
        let steps = "  - create-account: ada\n  - register\n  - sign-out\n  - sign-in: { person: [no-match, match] }\n"
        let first = try await play(steps)
        let second = try await play(steps)
        #expect(first.steps.map(\.did) == second.steps.map(\.did))
        #expect(first.steps.map(\.ctap) == second.steps.map(\.ctap))
    }

    @Test(
        "A list is expected as a whole: exactly these values, or without those",
        arguments: [
            ("items: { exactly: [token, pin] }", true), ("items: { exactly: [pin, token] }", true),
            ("items: { exactly: token }", false), ("items: { exactly: [token, pin, other] }", false),
            ("items: { exactly: none }", false), ("items: { without: other }", true),
            ("items: { without: [other, pin] }", false),
        ])
    func listsAreExpectedAsAWhole(expectation: String, passes: Bool) async throws {
        let text = """
            name: t
            devices: { phone: pixel-fingerprint }
            steps:
              - store-secret: token
              - store-secret: { name: pin, expect: { \(expectation) } }
            """
        let scenario = try Scenario(parsing: text, file: "s.yaml")
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(scenario)
        #expect(report.passed == passes)
    }

    @Test(
        "A form that a list does not have is a mistake with its line",
        arguments: ["items: { only: token }", "reveals: { exactly: 1 }", "screen: { without: locked }"])
    func unknownFormsOfListsAreMistakes(expectation: String) {
        let text = """
            name: t
            devices: { phone: pixel-fingerprint }
            steps:
              - store-secret: { name: token, expect: { \(expectation) } }
            """
        let error = #expect(throws: SourceError.self) { try Scenario(parsing: text, file: "s.yaml") }
        #expect(error?.line == 4)
    }
}
