import DeviceActs
import Foundation
import Scenarios
import SimulatedDevice
import TestSupport
import Testing

/// docs/scenario-reference.md has the words of the scenario language, docs/scenarios.md examples, and docs/apps.md the words
/// of secure storage and of the reference app.
@Suite("The documentation of scenarios")
struct ScenarioDocumentationTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOf: PackageRoot.url.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    @Test("names every step, every parameter and everything that can be expected")
    func scenarios() throws {
        let text = try ["scenario-reference.md", "apps.md"].map(Self.text).joined()
        let acts = DeviceAct.vocabulary
        let words = ScenarioStep.words
        let subjects = Expectation.Subject.all.map(\.name)
        let parameters = acts.flatMap(\.parameters).map(\.name)
        for word in words + subjects + parameters { #expect(text.contains("`\(word)`"), "\(word)") }
    }

    @Test("has five examples, each longer than the one before, and each passes")
    func examplesPass() async throws {
        let sections = try Self.text("scenarios.md").components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix("Five worked examples\n") })
        let examples = section.matches(of: /```yaml\n(.+?)\n```/.dotMatchesNewlines()).map { String($0.1) }
        #expect(examples.count == 5)
        let folder = PackageRoot.url.appending(path: "scenarios").path
        #expect(examples.map(\.count) == examples.map(\.count).sorted())
        for (index, example) in examples.enumerated() {
            for run in try Scenario.runs(parsing: example, file: "\(folder)/example-\(index + 1).yaml") {
                let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, isStrict: true).run(run)
                #expect(report.passed, "\(run.name): \(report.steps.flatMap(\.mismatches))")
            }
        }
    }

    @Test("names every kind of access and accessibility")
    func secureStorage() throws {
        let text = try Self.text("apps.md")
        let words =
            SecureStorage.Access.allCases.map(\.rawValue) + SecureStorage.Accessibility.allCases.map(\.rawValue)
            + ["validity", "strength", "migrates"]
        for word in words { #expect(text.contains("`\(word)"), "\(word)") }
    }
}
