import Devices
import Foundation
import Scenarios
import TestSupport
import Testing

/// A wrong expectation fails, and says what was expected, what was seen and what happened before.
struct ExpectationTests {
    private func play(_ steps: String, device: String = "pixel-fingerprint") async throws -> ScenarioReport {
        let text = "name: t\ndevices:\n  phone: \(device)\nsteps:\n" + steps
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
    }

    @Test func aWrongStatusNamesTheLineWhatWasExpectedWhatWasSeenAndTheEventsBefore() async throws {
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

    @Test func aRefusalNobodyExpectedFailsTheStep() async throws {
        let report = try await play("  - create-account: ada\n  - register: { person: cancel }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["outcome"])
        #expect(report.steps[1].mismatches[0].seen == "refused (userCancelled)")
    }

    @Test func anExpectedRefusalThatDoesNotComeFailsTheStep() async throws {
        let report = try await play("  - create-account: ada\n  - register: { expect: refused }\n")
        #expect(report.steps[1].mismatches[0].expected == "refused")
        #expect(report.steps[1].mismatches[0].seen == "ok")
    }

    @Test func anActThatWasNeverCalledForFailsTheStep() async throws {
        let report = try await play("  - create-account: ada\n  - register: { person: [match, no-match] }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["person"])
    }

    @Test("What should have happened in the middle of a prompt fails the step when no prompt was left open")
    func nothingInTheMiddle() async throws {
        let report = try await play(
            "  - create-account: ada\n  - register: { person: match, meanwhile: { app: background } }\n")
        #expect(report.steps[1].mismatches.map(\.subject) == ["meanwhile"])
    }

    @Test("Devices that cannot share an account are refused with the account's line")
    func unsuitableAccount() async throws {
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

    /// Each subject with a value that is wrong at this point of the story.
    static let wrong = [
        "page: AbortError", "status: PIN_INVALID", "reason: reset.userDeclined", "client: client.timeout",
        "cause: timedOut", "http: 500", "code: nothing.here", "ledger: a9", "told: LAError -1", "prompts: 7",
        "touches: 7", "user-verified: true", "sign-count: 9", "passkeys: 3", "lockout: permanent", "failures: 4",
        "uv-retries: 4", "pin-retries: 4", "credentials: 4", "enrolled: nobody",
        "backed-up: true", "answer: 42", "items: token", "screen: locked", "network: offline", "app: killed",
    ]

    @Test(arguments: wrong)
    func everySubjectCanFail(check: String) async throws {
        let report = try await play(
            """
              - create-account: ada
              - register
              - sign-out
              - sign-in: { person: cancel, expect: { outcome: refused, \(check) } }

            """)
        #expect(report.steps[3].mismatches.map(\.subject) == [String(check.prefix { $0 != ":" })])
    }

    @Test func everySubjectIsTried() {
        let tried = Set(Self.wrong.map { String($0.prefix { $0 != ":" }) })
        #expect(tried.union(["outcome"]) == Set(Expectation.Subject.allCases.map(\.rawValue)))
    }

    @Test func theSameSeedTellsTheSameStory() async throws {
        let steps = "  - create-account: ada\n  - register\n  - sign-out\n  - sign-in: { person: [no-match, match] }\n"
        let first = try await play(steps)
        let second = try await play(steps)
        #expect(first.steps.map(\.did) == second.steps.map(\.did))
        #expect(first.steps.map(\.ctap) == second.steps.map(\.ctap))
    }
}
