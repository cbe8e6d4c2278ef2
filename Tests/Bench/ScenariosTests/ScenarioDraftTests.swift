import Documents
import Scenarios
import Testing

/// The first scenario that `touchstone scenario new` writes.
@Suite("A new scenario")
struct ScenarioDraftTests {
    @Test("passes as it is, for every flow and device", arguments: ScenarioDraft.Flow.allCases)
    func draftPasses(flow: ScenarioDraft.Flow) async throws {
        let profiles = ["pixel-fingerprint", "iphone-face-id"]
        let draft = ScenarioDraft(name: "A \"name\": # ${x}\u{7}", profiles: profiles, flow: flow, requirements: ["A3"])
        let runs = try Scenario.runs(parsing: draft.text(), file: "new.yaml")
        #expect(runs.map { $0.devices[0].profile } == profiles)
        #expect(runs[0].title == "A \"name\": # ${x}\u{7}")
        #expect(runs[0].requirements == ["A3"])
        for run in runs {
            let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, isStrict: true).run(run)
            #expect(report.passed, "\(report.steps.flatMap(\.mismatches))")
        }
    }

    @Test("is refused with a requirement that has no identifier's form, and without a device")
    func wrongAnswerIsRefused() {
        let wrong = ScenarioDraft(name: "t", profiles: ["x"], flow: .signIn, requirements: ["login"])
        #expect(throws: SourceError.self) { try wrong.text() }
        let empty = ScenarioDraft(name: "t", profiles: [], flow: .signIn)
        #expect(throws: SourceError.self) { try empty.text() }
    }
}
