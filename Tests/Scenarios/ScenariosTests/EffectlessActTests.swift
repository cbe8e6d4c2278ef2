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
            "sign-in: { person: [no-match x 3, fallback, passcode] }", "the prompt ignored no-match, fallback"
        ),
        (
            "iphone-face-id", ["create-account: ada", "register", "sign-out"], "sign-in: { person: [confirm, match] }",
            "the prompt ignored confirm"
        ),
        ("iphone-face-id", ["create-account: ada"], "register: { person: \"choose:1\" }", "no prompt for choose:1"),
        (
            "security-key-bio", ["create-account: ada"], "register: { person: \"sample:good\" }",
            "no prompt for sample:good"
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
        ("iphone-face-id", [], "theft-protection: off", "already in this state"),
    ]

    @Test(arguments: acts)
    func anActWithoutEffectFailsItsStep(device: String, before: [String], step: String, mismatch: String) async throws {
        let report = try await play(before + [step], at: device)
        let steps = try #require(report.steps.last)
        #expect(report.steps.dropLast().allSatisfy { $0.passed }, "\(report.steps.map(\.mismatches))")
        #expect(steps.mismatches.contains { $0.seen.contains(mismatch) }, "\(steps.mismatches)")
        #expect(steps.mismatches.allSatisfy { $0.line == 4 + before.count })
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
        #expect(report.steps.last?.mismatches.map(\.seen) == ["a device that was already in this state"])
    }

    @Test func aFaultThatChangesNoAnswerFailsTheRun() async throws {
        let unused = try await play(["create-account: ada", "register", "fault: rp-id-hash"], at: "pixel-fingerprint")
        #expect(unused.steps.map(\.passed) == [true, true, false])
        #expect(unused.steps.last?.mismatches.map(\.line) == [6])
        let used = try await play(
            ["create-account: ada", "fault: rp-id-hash", "register: { expect: refused }"], at: "pixel-fingerprint")
        #expect(used.passed, "\(used.steps.map(\.mismatches))")
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
        #expect(none.steps.last?.mismatches.map(\.seen) == ["no prompt for choose:4"])
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
    ]

    @Test(arguments: keys)
    func aKeyWithoutEffectIsAnError(text: String, line: Int, message: String) {
        let error = #expect(throws: SourceError.self) { _ = try Scenario.runs(parsing: text, file: "test.yaml") }
        #expect(error?.line == line)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
