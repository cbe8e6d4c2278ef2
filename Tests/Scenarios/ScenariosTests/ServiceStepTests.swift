import Documents
import RelyingPartyServer
import Testing

@testable import Providers
@testable import Scenarios

/// Steps at the services beside the relying party, and the expectations behind them.
@Suite struct ServiceStepTests {
    private func play(_ steps: String) async throws -> ScenarioReport {
        let text = "name: t\ndevices:\n  phone: pixel-fingerprint\nsteps:\n" + steps
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "test.yaml"))
    }

    @Test func aMembersRecordChangesAndNoServiceIsAsked() async throws {
        let report = try await play(
            """
              - member: { id: kari, role: coordinator, national-id: "123", expect: { member: [kari coordinator 123, ola coordinator none] } }
              - member: { id: kari, national-id: none, expect: { member: kari coordinator none } }
              - create-account: { name: ada, expect: { received: [bankid 0, vipps 0, gateway login 0], submissions: activity 0 } }
              - create-account: { name: bob, expect: { audit: none, mail: none } }
              - create-account: { name: eve, expect: { received: bankid 1 } }

            """)
        #expect(report.steps.map(\.passed) == [true, true, true, true, false])
        #expect(report.steps[4].mismatches.map { $0.words() } == ["received: expected bankid 1, saw bankid 0"])
    }

    @Test func everyWordOfTheServicesIsRead() async throws {
        let report = try await play(
            """
              - service: { name: havblikk-members, is: silent, latency: 5 s, endpoint: write }
              - service: havblikk-members
              - provider: { name: vipps, does: wrong-nonce, national-id: absent, resident: ola }
              - provider: { name: vipps, does: normal }
              - gateway: { access-lifetime: 1 min, session-lifetime: 2 d, inactivity-limit: 1 h, biometrics: forbidden }
              - mailbox: { delay: 1 min, loses-messages: true }
              - well-known: other-app

            """)
        // No step meets the settings.
        #expect(report.steps.map(\.mismatches.count) == [1, 0, 3, 0, 4, 1, 1])
        let titles = report.steps.map(\.title)
        #expect(titles[0] == "havblikk-members, endpoint write, is silent and takes 5 s for each request")
        #expect(titles[1] == "havblikk-members is available")
        #expect(titles[2] == "Vipps has the fault wrong-nonce, no answer has the personnummer, Ola Hansen logs in")
        #expect(titles[3] == "Vipps works as usual")
        #expect(
            titles[4] == "in the app's backend, an access token lasts 1 min, a session lasts 48 h, "
                + "a session ends after 1 h without a refresh, biometric login is forbidden")
        #expect(titles[5] == "the mailbox loses every message")
        #expect(titles[6] == "the domain's well-known files name another app")
    }

    @Test(arguments: [(4900, true), (5100, false)])
    func aSlowTokenEndpointBreaksTheLimitOfALogin(milliseconds: Int, passes: Bool) async throws {
        let report = try await play(
            """
              - service: { name: vipps, latency: \(milliseconds) ms, endpoint: token }
              - open
              - tap: Log in with Vipps
              - tap: { button: Approve, expect: { screen: enrolment-prompt, elapsed: 5 s } }

            """)
        #expect(report.passed == passes)
        #expect(report.steps[3].mismatches.map(\.subject) == (passes ? [] : ["elapsed"]))
    }

    @Test func aWrongCountNamesTheServicesThatGotRequests() async throws {
        let report = try await play(
            """
              - open
              - tap: { button: Log in with Vipps, expect: { received: vipps 9 } }

            """)
        let seen = try #require(report.steps[1].mismatches.first?.seen)
        #expect(seen == "vipps 1; vipps authorize 1")
    }

    @Test func aWrongCountOfZeroShowsTheServiceThatWasExpected() async throws {
        let report = try await play("  - create-account: { name: ada, expect: { received: bankid 1 } }\n")
        #expect(report.steps[0].mismatches.map(\.seen) == ["bankid 0"])
    }

    @Test(arguments: [("gateway: {}", "access-lifetime"), ("gateway", "biometrics"), ("member: { id: kari }", "role")])
    func aStepThatChangesNothingIsRefused(step: String, key: String) throws {
        let error = #expect(throws: SourceError.self) {
            try Scenario(
                parsing: "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - \(step)\n", file: "t.yaml")
        }
        #expect(error?.message.contains("the step changes nothing; add ") == true)
        #expect(error?.message.contains(key) == true)
    }

    @Test func aReusedStateIsNotFresh() async throws {
        let journal = ["a", "b", "a"].map { state in
            ServiceRequest(
                service: .vipps, endpoint: "authorize", request: "GET /", query: "state=\(state)&scope=x%20y",
                status: 200,
                time: .zero)
        }
        let requests = AuthorizationRequest.all(in: journal)
        #expect(requests.map(\.fresh) == [["state", "scope"], ["state"], []])
        #expect(requests.map { $0.parameters["scope"] } == ["x y", "x y", "x y"])
    }

    @Test func theStepChangesTheServicesOfTheSite() async throws {
        let stage = try await Stage(
            Scenario(
                parsing: "name: t\ndevices: { phone: pixel-fingerprint }\nsteps: [end-sessions, list-passkeys]\n",
                file: "t.yaml"),
            profiles: ShippedScenarioTests.profiles, seed: 1, trace: nil)
        let site = try stage.site()
        _ = try await ServiceStep.provider(.bankid, .cancel, nil, resident: .ola).perform(at: site)
        _ = try await ServiceStep.provider(.bankid, .wrongNonce, .absent, resident: nil).perform(at: site)
        var outage = ServiceAvailability()
        outage.outage = .refused
        _ = try await ServiceStep.availability(.gateway, outage).perform(at: site)
        _ = try await ServiceStep.gateway(access: .seconds(5), session: nil, inactivity: nil, biometrics: .required)
            .perform(at: site)
        let settings = site.services.conditions.current
        #expect(settings[OpenIDProviderName.bankid].fault == .wrongNonce)
        #expect(settings[OpenIDProviderName.bankid].nationalID == .absent)
        #expect(settings[OpenIDProviderName.bankid].resident == .ola)
        #expect(settings[.gateway].outage == .refused)
        #expect(settings.gateway.accessLifetime == .seconds(5))
        #expect(settings.gateway.biometrics == .required)
        #expect(settings.gateway.sessionLifetime == GatewaySettings().sessionLifetime)
        await stage.tearDown()
    }

    @Test(arguments: [
        ("provider: { name: bankid, does: lie }", "lie"), ("service: { name: bankid, endpoint: write }", "write"),
        ("service: { name: bankid, is: gone }", "gone"), ("member: carl", "carl"),
        ("end-sessions: { expect: { received: bankd 0 } }", "bankd"),
        ("end-sessions: { expect: { received: [bankid tokn 1] } }", "bankid tokn"),
        ("end-sessions: { expect: { received: bankid } }", "bankid"),
        ("end-sessions: { expect: { member: karl member none } }", "karl member none"),
        ("end-sessions: { expect: { audit: vips-login updated } }", "vips-login updated"),
        ("end-sessions: { expect: { submissions: activities 1 } }", "activities"),
        ("end-sessions: { expect: { table: passkeys 1 } }", "passkeys"),
        ("check: { expect: { app: [mail kild] } }", "kild"),
        ("end-sessions: { expect: { elapsed: over 5 } }", "over 5"), ("switch-to: bankd", "bankd"),
    ])
    func anUnknownWordIsRefusedWithItsLine(step: String, word: String) throws {
        let error = #expect(throws: SourceError.self) {
            try Scenario(
                parsing: "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - \(step)\n", file: "t.yaml")
        }
        #expect(error?.line == 4)
        #expect(error?.message.contains("\"\(word)\"") == true)
    }
}
