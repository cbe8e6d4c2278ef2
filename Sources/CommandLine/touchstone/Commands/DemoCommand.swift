import ArgumentParser
import DeviceProfiles
import Scenarios

/// `touchstone demo`: the tour.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Take the tour: two phones, a relying party, and what goes wrong between them.",
        discussion: """
            Plays the scenario `tour` over real HTTP on SQLite and tells every step from each side: what the phone \
            did, what CTAP answered and why, what the server saw, and what the app would have been told.
            """)

    @OptionGroup var tracing: TraceOptions

    func run() async throws {
        let library = try ScenarioLibrary.standard()
        let scenario = try ScenarioLibrary.read(library.path(of: "tour"))
        let runner = ScenarioRunner(profiles: try ProfileLibrary.standard(), trace: try tracing.recorder())
        let narrator = Narrator(verbose: true, isQuiet: false)
        narrator.begin(scenario)
        let report = try await runner.run(scenario, onStep: narrator.step)
        narrator.end(report)
        var table = TextTable("RESULT", "DEVICE", "WHAT HAPPENED")
        for step in report.steps {
            table.add(
                step.passed ? "passed" : step.wasPlayed ? "FAILED" : "not run", step.device ?? "", step.title)
        }
        table.lines.forEach { Terminal.write($0) }
        let passed = report.steps.count { $0.passed }
        Terminal.write()
        Terminal.write("\(passed) passed, \(report.steps.count - passed) failed")
        guard report.passed else { throw CommandError("the tour did not go as it should", .checkFailed) }
    }
}
