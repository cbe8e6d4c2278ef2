import Documents
import ForeignParties
import Foundation
import Scenarios
import TestSupport
import Testing

@Suite("Scenarios at foreign relying parties")
struct ForeignScenarioTests {
    /// A user's visits to a passkey site, on several devices.
    static let matrix = """
        name: A passkey site
        matrix:
          device:
            - iphone-face-id
            - pixel-fingerprint
            - windows-hello-face
            - security-key-bio
        devices: { device: "${device}" }
        steps:
          - create-account: ada@example.com
          - register: { expect: { user-verified: true } }
          - sign-out
          - sign-in: { account: ada@example.com, expect: { user-verified: true, http: 200 } }
          - sign-out
          - sign-in: { account: ada@example.com, person: cancel, expect: { outcome: refused, page: NotAllowedError } }
          - sign-in: { account: ada@example.com, tamper: challenge, expect: { outcome: refused, ledger: a4 } }
          - sign-in: { account: ada@example.com, tamper: replay, expect: { outcome: refused } }
          - use-session: another browser
          - sign-in: { account: ada@example.com }
        """

    private func play(_ text: String, at party: ForeignParty) async throws -> [ScenarioReport] {
        let runner = ScenarioRunner(profiles: Parties.profiles, relyingParty: party)
        var reports: [ScenarioReport] = []
        for run in try Scenario.runs(parsing: text, file: "site.yaml") { reports.append(try await runner.run(run)) }
        return reports
    }

    private func expectSuccess(_ reports: [ScenarioReport]) {
        for report in reports {
            #expect(report.passed, "\(report.name): \(report.steps.flatMap(\.mismatches))")
        }
    }

    @Test func theMatrixPassesAtTheFIDOInterface() async throws {
        try await PythonSite.with("py_webauthn") { site in
            let reports = try await play(Self.matrix, at: try Parties.shipped("fido-conformance", port: site.port))
            #expect(reports.count == 4)
            expectSuccess(reports)
            let notes = reports[0].steps.flatMap(\.notes)
            #expect(notes.contains { $0.hasPrefix("ledger (line 16) was not checked") }, "\(notes)")
        }
    }

    @Test func theMatrixPassesAtTouchstonesOwnWithADescription() async throws {
        try await Parties.withServer { port in
            let party = try Parties.shipped("touchstone", port: port)
            expectSuccess(try await play(Self.matrix, at: party))
            // The accounts of the first run are still there.
            expectSuccess(try await play(Self.matrix, at: party))
        }
    }

    @Test func theMatrixPassesAtDjangoAllauth() async throws {
        try await PythonSite.with("django_allauth", variant: #"{"verification": "none"}"#) { site in
            // The site finds the account by the passkey, redirects after success, and lets a user who is signed in pass.
            let text = Self.matrix.replacing("account: ada@example.com, ", with: "")
                .replacing("{ account: ada@example.com }", with: "{}").replacing("http: 200", with: "http: 302")
                .replacing("  - sign-in: { tamper: replay, expect: { outcome: refused } }\n", with: "")
            expectSuccess(try await play(text, at: try Parties.shipped("django-allauth", port: site.port)))
        }
    }

    @Test func aLockoutIsTheDevicesAtEverySite() async throws {
        let text = """
            name: A lockout
            devices: { phone: pixel-fingerprint }
            steps:
              - create-account: ada@example.com
              - register
              - sign-out
              - sign-in: { person: [no-match x 5, cancel], expect: { outcome: refused, lockout: timed } }
              - wait: 30 s
              - sign-in
            """
        try await PythonSite.with("python_fido2") { site in
            expectSuccess(try await play(text, at: try Parties.shipped("python-fido2", port: site.port)))
        }
    }

    @Test func passkeysAreListedSignalledAndDeletedAsDescribed() async throws {
        let text = """
            name: Passkeys
            devices: { phone: iphone-face-id, key: security-key-bio }
            steps:
              - create-account: ada@example.com
              - register: { device: phone }
              - register: { device: key }
              - list-passkeys: { expect: { passkeys: 2 } }
              - reauthenticate: { device: key }
              - delete-passkey: { number: 1, expect: { passkeys: 1 } }
              - signal: { of: accepted-credentials, device: phone, expect: { credentials: 0 } }
              - delete-passkey: { number: 2, expect: { outcome: refused, cause: noSuchPasskey } }
            """
        try await Parties.withServer { port in
            expectSuccess(try await play(text, at: try Parties.shipped("touchstone", port: port)))
        }
    }

    @Test func anExpectationThatIsNotMetFailsTheRun() async throws {
        let text = "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - sign-in: { account: eve@example.com }\n"
        try await PythonSite.with("py_webauthn") { site in
            let reports = try await play(text, at: try Parties.shipped("fido-conformance", port: site.port))
            #expect(reports.map(\.passed) == [false])
        }
    }

    /// A step that a foreign relying party cannot play, and the reason.
    static let obstacles: [(step: String, reason: String)] = [
        ("list-passkeys", "has no passkeys; add it there"),
        ("delete-passkey", "has no passkeys.delete; add it there"),
        ("request: { path: /session }", "needs touchstone's own relying party"),
        ("restart-server", "needs touchstone's own relying party"),
        ("slow-server: 2 s", "needs touchstone's own relying party"),
        ("failing-server", "needs touchstone's own relying party"),
        ("provider: { name: bankid }", "needs touchstone's own relying party"),
        ("open", "needs touchstone's own relying party"),
        ("conditional-request: { password-of: ada, password: pass }", "needs touchstone's own relying party"),
        ("signal: accepted-credentials", "has no passkeys; add it there"),
        ("reauthenticate", "has no reauthentication; add it there"),
        ("sign-in: { user-verification: required }", "write {user-verification} into the request that begins it"),
        ("register: { attestation: direct }", "write {attestation} into the request that begins it"),
    ]

    @Test(arguments: obstacles)
    func aStepThatNeedsMoreIsRefusedBeforeTheRun(_ obstacle: (step: String, reason: String)) throws {
        let text =
            "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n  - \(obstacle.step)\n"
            + "  - sign-in: { device: phone, expect: { credentials: 0 } }\n"
        let scenario = try #require(try Scenario.runs(parsing: text, file: "site.yaml").first)
        let party = try Parties.shipped("python-fido2", port: 1)
        let error = #expect(throws: SourceError.self) { try scenario.checkPlayable(at: party) }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("site.yaml:5:5: ") && words.contains(obstacle.reason), "\(words)")
    }

    @Test func anExpectationThatIsNotCheckedShowsNothing() async throws {
        let steps = [
            "check: { requirements: F3, expect: { submissions: activity 44 } }",
            "sign-in: { account: ada, tamper: challenge, requirements: F1, expect: { outcome: refused, ledger: a5 } }",
        ]
        try await Parties.withServer { port in
            let party = try Parties.shipped("touchstone", port: port)
            for (step, subject) in zip(steps, ["expect", "cause"]) {
                let text =
                    "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - create-account: ada\n  - register\n"
                    + "  - sign-out\n  - \(step)\n"
                let strict = ScenarioRunner(profiles: Parties.profiles, isStrict: true, relyingParty: party)
                let scenario = try #require(try Scenario.runs(parsing: text, file: "site.yaml").first)
                let report = try await strict.run(scenario)
                #expect(report.steps.last?.mismatches.map(\.subject) == [subject], "\(report.steps.map(\.mismatches))")
            }
            let noted = try await play(
                "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - \(steps[0])\n", at: party)
            #expect(noted.map(\.passed) == [true])
            #expect(noted[0].requirements == [] && noted[0].steps[0].requirements == [])
            #expect(noted[0].steps[0].notes.contains("F3 is not shown: no expectation was checked"))
        }
    }

    @Test func policiesOfTheRelyingPartyAreRefused() throws {
        let text = "name: t\nrelying-party: { level: 2 }\ndevices: { phone: pixel-fingerprint }\nsteps: [register]\n"
        let scenario = try #require(try Scenario.runs(parsing: text, file: "site.yaml").first)
        let party = try Parties.shipped("touchstone", port: 1)
        let error = #expect(throws: SourceError.self) { try scenario.checkPlayable(at: party) }
        #expect(error?.description.hasPrefix("site.yaml:2:16: relying-party sets policies") == true)
    }
}
