import Documents
import Scenarios
import Testing

@Suite("Steps side by side")
struct TogetherTests {
    private static func scenario(_ steps: String) throws -> Scenario {
        try Scenario(
            parsing: "name: t\ndevices: { phone: iphone-face-id, tablet: pixel-fingerprint }\nsteps:\n" + steps,
            file: "t.yaml")
    }

    private static let account = """
        - create-account: ada@example.com
        - register: { device: phone }
        - sign-out
        - use-session: tablet
        - create-account: grace@example.com
        - register: { device: tablet }
        - sign-out

        """

    private static func play(_ steps: String) async throws -> [StepReport] {
        let scenario = try scenario(account + steps)
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, isStrict: true).run(scenario).steps
    }

    private static let both = """
        - together:
            - sign-in: { device: phone, session: app, expect: { http: 200 } }
            - sign-in: { device: tablet, session: tablet, person: cancel, expect: { outcome: refused, cause: userCancelled } }
        - check: { device: phone, expect: { credentials: 1 } }

        """

    @Test("overlap: each begins before one ends, and each has its own observations")
    func stepsOverlap() async throws {
        let steps = try await Self.play(Self.both)
        for step in steps { #expect(step.passed, "\(step.title): \(step.mismatches)") }
        let (first, second) = (steps[7], steps[8])
        #expect(first.title == "side by side: signs in")
        #expect(
            first.server == [
                "POST /passkeys/authenticate/begin → 200",
                "POST /passkeys/authenticate/complete → 200, every ledger step passed",
            ])
        #expect(second.server == ["POST /passkeys/authenticate/begin → 200"])
        #expect(!first.timeline.contains { $0.device == "tablet" })
        #expect(!second.timeline.contains { $0.device == "phone" })
    }

    @Test("overlap in the same way in each run")
    func overlapIsTheSame() async throws {
        let first = try await Self.play(Self.both)
        let second = try await Self.play(Self.both)
        #expect(first.map(\.timeline) == second.map(\.timeline))
    }

    @Test("are all played to their ends, and end the run if one fails")
    func failureEndsTheRun() async throws {
        let steps = try await Self.play(
            """
            - together:
                - sign-in: { device: phone, session: app, expect: { prompts: 7 } }
                - sign-in: { device: tablet, session: tablet, expect: { http: 200 } }
            - sign-out

            """)
        #expect(steps[7].mismatches.map(\.subject) == ["prompts"])
        #expect(steps[8].passed)
        #expect(!steps[9].wasPlayed)
    }

    @Test(
        "are refused where they disturb each other",
        arguments: [
            ("- together: [check: { device: phone, expect: { credentials: 0 } }]", "together has fewer than two steps"),
            ("- together: [list-passkeys, wait: 1 s]", "wait affects the other steps"),
            ("- together: [list-passkeys, use-session: x]", "use-session affects the other steps"),
            ("- together: [sign-in: { device: phone }, sign-in: { device: phone }]", "together has two steps of phone"),
            ("- together: [list-passkeys, open: { device: phone, session: x }]", "remove session"),
            ("- lock: { device: phone, session: x }", "remove session"),
        ])
    func disturbingStepsAreRefused(step: String, problem: String) {
        let error = #expect(throws: SourceError.self) { try Self.scenario(step + "\n") }
        #expect(error?.line == 4)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }
}

@Suite("Ceremonies of apps")
struct AppCeremonyTests {
    @Test(
        "are refused where no such app asks",
        arguments: [
            (
                "iphone-face-id", "{ origin: \"android:apk-key-hash:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\" }",
                "remove origin"
            ),
            ("pixel-fingerprint", "{ caller: app }", "add origin: android:apk-key-hash:…"),
            ("pixel-fingerprint", "{ immediately-available: true }", "add caller: app"),
            ("pixel-fingerprint", "{ origin: \"android:apk-key-hash:short\" }", "43 characters"),
        ])
    func impossibleAppsAreRefused(profile: String, keys: String, problem: String) {
        let text = "name: t\ndevices: { phone: \(profile) }\nsteps:\n  - sign-in: \(keys)\n"
        let error = #expect(throws: SourceError.self) {
            try Scenario(parsing: text, file: "t.yaml").profiles(from: ShippedScenarioTests.profiles)
        }
        #expect(error?.line == 4)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }
}
