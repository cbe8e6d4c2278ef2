import Documents
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@testable import RelyingPartyServer
@testable import Scenarios

/// Steps and expectations at the relying party's own interface.
struct RelyingPartyStepTests {
    private func play(_ steps: String) async throws -> ScenarioReport {
        let text = "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n" + steps
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
    }

    @Test func aDifferentMemberIsReportedWithItsPointer() async throws {
        let report = try await play(
            """
              - request:
                  path: /passkeys/register/begin
                  body: {}
                  expect: { body: { /rp/id: example.com, /challenge: none, /rp/icon: any } }

            """)
        let mismatches = report.steps[1].mismatches
        #expect(mismatches.map(\.subject) == ["body /rp/id", "body /challenge", "body /rp/icon"])
        #expect(mismatches.map(\.expected) == ["example.com", "none", "any"])
        #expect(mismatches.first?.seen == "localhost")
        #expect(mismatches.last?.seen == "nothing")
    }

    @Test func aNameThatNoRequestKeptFailsTheStep() async throws {
        let report = try await play("  - request: \"/passkeys/{id}\"\n")
        #expect(
            report.steps[1].mismatches.map(\.seen) == ["no earlier request keeps \"id\"; name it in the request's keep"]
        )
    }

    @Test func sessionsHaveAccountsOfTheirOwn() async throws {
        let report = try await play(
            """
              - use-session: other
              - list-passkeys: { expect: { outcome: refused, http: 401, code: session.required } }
              - use-session: app
              - list-passkeys: { expect: { passkeys: 0 } }

            """)
        #expect(report.passed)
    }

    @Test(
        "A private key in a request is found in each form",
        arguments: [{ $0 }, { Array(Base64URL.encode($0).utf8) }, { Array(Hex.encode($0).utf8) }]
            as [@Sendable ([UInt8]) -> [UInt8]])
    func leakedKey(form: @Sendable ([UInt8]) -> [UInt8]) async throws {
        let scenario = try Scenario(
            parsing: """
                name: t
                devices: { phone: pixel-fingerprint }
                steps: [create-account: ada, register: { expect: { private-keys-sent: 0 } }]
                """, file: "test.yaml")
        let stage = try await Stage(scenario, profiles: ShippedScenarioTests.profiles, seed: 1, trace: nil)
        let runner = ScenarioRunner(profiles: ShippedScenarioTests.profiles)
        for (index, step) in scenario.steps.enumerated() {
            #expect(await runner.play(step, number: index + 1, on: stage).passed)
        }
        let device = try stage.simulation("phone").device
        let snapshot = await device.authenticator.snapshot()
        let key = try #require(snapshot.credentials.first).privateKeyBytes
        let leak = RelyingPartyExchange(
            request: "POST /", requestBody: Array("{\"x\":\"".utf8) + form(key), status: 200, body: [], verdicts: [])
        let checker = ExpectationChecker(
            observation: Observation(.success(StepResult()), exchanges: [leak]), device: device, snapshot: snapshot)
        let expectation = scenario.steps[1].expectation
        #expect(checker.mismatches(expectation, checker.checks(expectation)).map(\.seen) == ["1"])
        await stage.tearDown()
    }

    @Test(
        "Mistakes are reported with their line",
        arguments: [
            ("relying-party: { level: 4 }\nsteps: [sign-out]\n", 3, "2"),
            ("relying-party: { roming: true }\nsteps: [sign-out]\n", 3, "roaming"),
            ("steps:\n  - request: passkeys\n", 4, "begins with /"),
            ("steps:\n  - request: { path: /x, keep: { a: b } }\n", 4, "JSON Pointer"),
            ("steps:\n  - request: { path: /x, method: HEAD }\n", 4, "GET"),
            ("steps:\n  - list-passkeys: { expect: { body: { x: 1 } } }\n", 4, "JSON Pointer"),
            ("steps:\n  - register: { tamper: orign }\n", 4, "origin"),
            ("steps:\n  - register: { origin: nowhere }\n", 4, "not an origin"),
        ])
    func mistakes(text: String, line: Int, says: String) throws {
        let error = #expect(throws: SourceError.self) {
            try Scenario(parsing: "name: t\ndevices: { a: pixel-fingerprint }\n" + text, file: "test.yaml")
        }
        #expect(error?.line == line)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }
}
