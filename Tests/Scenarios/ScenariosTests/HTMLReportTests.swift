import Foundation
import Reports
import Scenarios
import Synchronization
import Testing
import Trace

/// Reports for browsers and for GitHub.
@Suite("Reports of runs")
struct HTMLReportTests {
    /// A run that fails, with names that would be markup.
    private static func report() async throws -> ScenarioReport {
        let text = """
            name: "</script><img src=x onerror=alert(1)> & \\u2028"
            devices: { phone: pixel-fingerprint }
            steps:
              - create-account: "<!--"
              - list-passkeys: { requirements: A15, expect: { passkeys: 3 } }
            """
        return try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "a,b:%.yaml"))
    }

    @Test("Text of a scenario cannot end the script of the page or begin another one")
    func textIsData() async throws {
        let html = try MatrixPage([try await Self.report()], catalogue: nil).html()
        #expect(html.components(separatedBy: "</script>").count == 3)
        #expect(!html.contains("<img") && !html.contains("{{"))
        let start = try #require(html.range(of: "id=\"data\">")).upperBound
        let end = try #require(html.range(of: "</script>")).lowerBound
        let data = try #require(
            try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8)) as? [String: Any])
        let strings = try #require(data["strings"] as? [String])
        #expect(strings.contains { $0.hasPrefix("</script><img") })
        // Without a catalogue the rows are those that the runs look at.
        #expect((data["rows"] as? [[String: Any]])?.map { $0["id"] as? String } == ["A15"])
    }

    @Test("The timeline numbers a step's prompts, as many as `prompts` counts, and the page explains the word")
    func promptsAreNumbered() async throws {
        let text = """
            name: Prompts
            devices: { phone: iphone-face-id, tablet: pixel-fingerprint }
            steps:
              - create-account: ada@example.com
              - register: { device: phone, expect: { prompts: 1 } }
              - sign-in: { device: phone, person: [no-match x 2, wrong-passcode, passcode], expect: { prompts: 4 } }
              - verify: { device: tablet, person: [bad-capture, match], expect: { prompts: 2 } }
              - sign-in: { device: phone, person: cancel, expect: { outcome: refused, prompts: 1 } }
            """
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "prompts.yaml"))
        #expect(report.passed)
        for step in report.steps {
            let numbers = step.timeline.compactMap(\.detail).filter { $0.hasPrefix("prompt ") }
            let wanted = step.checks.first { $0.subject == "prompts" }.flatMap { Int($0.expected) } ?? 0
            #expect(numbers == (0..<wanted).map { "prompt \($0 + 1)" }, "\(step.title)")
        }
        let page = MatrixPage([report], catalogue: nil)
        #expect(Set(page.meanings.keys) == ["outcome", "prompts"])
        #expect(page.meanings["prompts"]?.hasPrefix("How often the gate asked the user") == true)
    }

    @Test("GitHub gets an annotation for each difference, at its line")
    func annotations() async throws {
        let lines = GitHubAnnotations.lines([try await Self.report()])
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("::error file=a%2Cb%3A%25.yaml,line=5,title="))
        #expect(lines[0].hasSuffix("::lists the passkeys: passkeys: expected 3, saw 0"))
    }

    @Test("A run whose trace goes to a file also has it in its report, without secrets", arguments: [true, false])
    func tracesGoToBoth(keepsSecrets: Bool) async throws {
        let text = """
            name: PIN
            devices: { key: security-key-pin }
            steps:
              - set-pin: { to: "271828" }
              - create-account: ada
              - register: { pin: "271828" }
            """
        let scenario = try Scenario(parsing: text, file: "a.yaml")
        let written = Mutex<[TraceRecord]>([])
        let recorder = TraceRecorder(keepsSecrets: keepsSecrets) { record in written.withLock { $0.append(record) } }
        let profiles = ShippedScenarioTests.profiles
        let alone = try await ScenarioRunner(profiles: profiles, keepsTraces: true).run(scenario)
        let lines = try #require(alone.trace)
        #expect(lines.count > 10)
        let runner = ScenarioRunner(profiles: profiles, trace: recorder, keepsTraces: true)
        #expect(try await runner.run(scenario).trace == lines)
        #expect(try await runner.run(scenario).trace?.count == lines.count)
        let exchanges = written.withLock { $0.compactMap(\.exchange) }
        #expect(!exchanges.isEmpty)
        // The second run's exchanges go on where the first one's end.
        #expect(exchanges == exchanges.sorted())
    }
}
