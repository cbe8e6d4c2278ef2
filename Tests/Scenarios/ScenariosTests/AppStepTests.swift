import Documents
import Foundation
import Reports
import Scenarios
import Testing

@Suite("Steps in the reference app")
struct AppStepTests {
    private static func scenario(_ steps: String) throws -> Scenario {
        let device = steps.contains("device: key") ? "key: security-key-pin" : "phone: pixel-fingerprint"
        return try Scenario(parsing: "name: App\ndevices: { \(device) }\nsteps:\n" + steps, file: "a.yaml")
    }

    private static func play(_ steps: String) async throws -> ScenarioReport {
        try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(try scenario(steps))
    }

    static let mistakes = [
        ("- tap: { device: phone, button: Log in with BankId }\n", "Log in with BankID"),
        ("- enter: { device: phone, field: Pasword, text: x }\n", "Password"),
        ("- open: { device: phone, expect: { screen: provider-selecton } }\n", "provider-selection"),
        ("- open: { device: phone, expect: { offers: Log in with Vips } }\n", "Log in with Vipps"),
    ]

    @Test("A misspelt button, field or screen is refused with the nearest name", arguments: mistakes)
    func misspeltNames(step: String, nearest: String) throws {
        do {
            _ = try Self.scenario(step)
            Issue.record("\(step) is read")
        } catch let error as SourceError {
            #expect(error.line == 4)
            #expect(error.message.contains("did you mean") && error.message.contains(nearest), "\(error)")
        }
    }

    @Test("A button that is not on the screen fails the step and names those that are")
    func missingButton() async throws {
        let report = try await Self.play("- open: { device: phone }\n- tap: { device: phone, button: Enable }\n")
        #expect(!report.passed)
        #expect(report.steps[1].mismatches.first?.seen.contains("“Log in with BankID”") == true)
        let unopened = try await Self.play("- tap: { device: phone, button: Enable }\n")
        #expect(unopened.steps[0].mismatches.first?.seen.contains("begin with open") == true)
    }

    /// The app's step succeeds; the error is the one that its prompt got.
    @Test(
        "An error that the platform reports to the app is seen at the app's step",
        arguments: [
            ("cause: userCancelled", true), ("told: BiometricPrompt 10 ERROR_USER_CANCELED", true),
            ("told: { without: BiometricPrompt 10 }", false), ("cause: { without: userCancelled }", false),
            ("cause: none", false), ("told: BiometricPrompt 13", false),
        ])
    func errorOfTheApp(expected: String, isMet: Bool) async throws {
        let report = try await Self.play(
            """
            - open: { device: phone }
            - tap: { device: phone, button: Log in with BankID }
            - tap: { device: phone, button: Approve }
            - tap: { device: phone, button: Enable, person: cancel, expect: { \(expected) } }

            """)
        #expect(report.passed == isMet, "\(report.steps.map(\.mismatches))")
        #expect(report.steps[3].told.contains("BiometricPrompt 10 ERROR_USER_CANCELED"), "\(report.steps[3].told)")
    }

    @Test(
        "A tap on a locked screen, and a decision without a network, fail their step",
        arguments: [
            ("lock: { device: phone }", "the screen is locked; unlock it first"),
            ("airplane-mode: { device: phone, state: \"on\" }", "the device is offline"),
        ])
    func tapWithoutEffect(before: String, seen: String) async throws {
        for page in ["", "- switch-to: { device: phone, app: bankid }\n"] {
            let report = try await Self.play(
                "- open: { device: phone }\n- tap: { device: phone, button: Log in with BankID }\n\(page)- \(before)\n"
                    + "- tap: { device: phone, button: Approve }\n")
            let mismatch = report.steps.last?.mismatches.first
            #expect(mismatch?.seen.contains(seen) == true, "\(report.steps.map(\.mismatches))")
        }
    }

    @Test("A report counts the buttons and fields that the user uses")
    func taps() async throws {
        let report = try await Self.play(
            """
            - open: { device: phone }
            - tap: { device: phone, button: Log in with e-mail and password }
            - enter: { device: phone, field: E-mail, text: ada }
            - tap: { device: phone, button: Back, expect: { taps: 3 } }
            - switch-to: { device: phone, app: camera }
            - open: { device: phone, expect: { taps: 0 } }

            """)
        #expect(report.passed)
        #expect(report.taps == 3)
        #expect(JUnitDocument([report]).xml.contains("<property name=\"taps\" value=\"3\"/>"))
        #expect(try #require(String(data: JSONEncoder().encode(report), encoding: .utf8)).contains("\"taps\":3"))
    }

    @Test("A security key runs no app")
    func securityKey() async throws {
        let error = await #expect(throws: SourceError.self) { try await Self.play("- open: { device: key }\n") }
        #expect(
            error?.description
                == "a.yaml:4:3: open needs a phone or a computer; key, a security-key-pin, is a security key")
    }

    @Test("A step that cannot be played gives its reason alone, with the contents of the screen")
    func reasonStandsAlone() async throws {
        let report = try await Self.play(
            "- open: { device: phone }\n- enter: { device: phone, field: Code, text: x }\n")
        let reason = "“Code” is not on the screen; the screen is provider-selection, it has no fields"
        let mismatch = try #require(report.steps[1].mismatches.first)
        #expect(mismatch.words(line: 5) == reason + " (line 5)")
        #expect(GitHubAnnotations.lines([report]).first?.hasSuffix(": " + reason) == true)
        #expect(JUnitDocument([report]).xml.contains("message=\"\(reason) (line 5)\""))
    }

    @Test(
        "A wrong screen is told as the screen of the app or of the device, under one name",
        arguments: [
            ("unlock", "expected the app's screen unlock, saw provider-selection"),
            ("home", "expected the app's screen home, saw provider-selection"),
            ("locked", "expected the device's screen locked, saw unlocked"),
        ])
    func wrongScreen(expected: String, words: String) async throws {
        let report = try await Self.play("- open: { device: phone, expect: { screen: \(expected) } }\n")
        #expect(report.steps[0].mismatches.map { $0.words() } == ["screen: \(words)"])
    }

    @Test("A role and a style are in the page only where a scenario states one", arguments: ["", "role: coordinator"])
    func statedRoleOfPage(second: String) async throws {
        var reports: [ScenarioReport] = []
        for app in ["lock-after: 5 min", second].filter({ !$0.isEmpty }) {
            let text = "name: t\ndevices: { phone: iphone-face-id }\napp: { \(app) }\nsteps: [open]\n"
            reports.append(
                try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
                    Scenario(parsing: text, file: "\(reports.count).yaml")))
        }
        let html = try MatrixPage(reports, catalogue: nil).html()
        #expect(html.contains("\"role\":\"peer-mentor\"") == !second.isEmpty)
        #expect(html.contains("\"role\":\"coordinator\"") == !second.isEmpty)
        #expect(!html.contains("\"style\":"))
        #expect(html.contains("Requirements by device\(second.isEmpty ? "" : " and role")\""))
    }

    @Test("A wrong expectation of a screen, message, button or count fails")
    func wrongExpectations() async throws {
        for expectation in [
            "screen: unlock", "shows: nothing of the kind", "offers: Enable", "requests: 9", "queue: 3", "taps: 5",
            "reveals: 1",
            "passes: settings", "sends: POST /nothing", "refreshes: 1", "exposed-tokens: 1",
        ] {
            let report = try await Self.play("- open: { device: phone, expect: { \(expectation) } }\n")
            #expect(!report.passed, "\(expectation)")
        }
    }
}
