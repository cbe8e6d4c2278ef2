import ArgumentParser
import DeviceProfiles
internal import ProfileFiles
import Scenarios
import Tables

/// `touchstone demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the tour: sign-ins, failures and lockouts of two phones at a relying party.",
        discussion: """
            Plays the scenario `tour` over real HTTP and SQLite, and shows every step from each side: the phone's \
            events, the CTAP answer and its reason, the server's verdict, and the error the app gets.
            """)

    @OptionGroup var tracing: TraceOptions

    func run() async throws {
        let library = try ScenarioLibrary.standard()
        let scenario = try ScenarioLibrary.runs(of: library.path(of: "tour"))[0]
        let runner = ScenarioRunner(profiles: try ProfileLibrary.standard(), trace: try tracing.recorder())
        let narrator = Narrator(verbose: true, isQuiet: false)
        narrator.begin(scenario.name, about: scenario.about)
        let report = try await runner.run(scenario, onStep: narrator.step)
        narrator.end(report)
        var table = TextTable("RESULT", "DEVICE", "STEP")
        for step in report.steps {
            table.add(step.passed ? "passed" : step.wasPlayed ? "FAILED" : "not run", step.device ?? "", step.title)
        }
        Terminal.write(table)
        let passed = report.steps.count { $0.passed }
        Terminal.write()
        Terminal.write("\(passed) passed, \(report.steps.count - passed) failed")
        guard report.passed else { throw CommandError("the tour failed", .checkFailed) }
    }
}
