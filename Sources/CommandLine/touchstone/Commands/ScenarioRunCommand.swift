import ArgumentParser
import DeviceProfiles
import Documents
import ForeignParties
import Foundation
internal import ProfileFiles
import Scenarios
import Synchronization
import Trace
import Wording

/// `touchstone scenario run`.
struct ScenarioRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run scenarios and check the observations of each side.",
        discussion: """
            A scenario with a matrix is played once for each combination of its parameters. Each run has its own relying party on a free port, database and devices on a simulated clock. Exit status 1 if an expectation is not met.

            With --device a real key replaces a device of the scenario. A scenario with steps that need a simulated \
            device is refused before it starts. Expectations that need one are skipped, and the report names them. \
            With --device NAME=virtual:PROFILE the device is a simulated one of another profile.

            With --relying-party the relying party is another program, as a file describes it. A scenario with steps that need Touchstone's own is refused before it starts, and expectations that need it are skipped.
            """)

    @Argument(help: ScenarioCommand.filesHelp, completion: .scenarios)
    var files: [String] = []

    @OptionGroup var output: ReportOptions

    @Option(help: "Random seed of the devices and the relying party.")
    var seed: UInt64 = 1

    @Flag(
        help:
            "Fail a step that expects a refusal without a reason (cause, status, told, which is the error that the app gets, or another)."
    )
    var strict = false

    @Flag(name: .shortAndLong, help: "Show every step from each side.")
    var verbose = false

    @Option(help: "Runs at the same time; default: four for each core, and 1 with --device or --trace.")
    var jobs: Int?

    @Option(help: ArgumentHelp("Only this part of the runs, such as 2/5.", valueName: "part/parts"))
    var shard = Shard.all

    @OptionGroup var selection: ScenarioSelectionOptions

    @OptionGroup var real: ScenarioDeviceOptions

    @OptionGroup var foreign: ForeignPartyOptions

    @OptionGroup var tracing: TraceOptions

    func validate() throws {
        guard real.devices.isEmpty || !files.isEmpty else {
            throw ValidationError("--device needs a scenario; name the file.")
        }
        guard (jobs ?? 1) == 1 || real.devices.isEmpty && tracing.path == nil else {
            throw ValidationError("--device and --trace play the runs one after the other; remove --jobs.")
        }
        try OptionRule.need("--device", !real.devices.isEmpty, for: real.pin.given)
        try OptionRule.exclude("--json", output.json, from: ["--verbose": verbose])
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs needs a number from 1 to 256.") }
    }

    func run() async throws {
        // All files are read before the first scenario starts: a typing error should not cost a long run.
        let profiles = try ProfileLibrary.standard().caching()
        try output.check()
        let scenarios: [Scenario]
        let party: ForeignParty?
        do {
            (scenarios, party) = try selected(profiles)
        } catch let error as SourceError {
            try output.write(error)
            throw error
        } catch {
            try output.write(unplayed: Self.message(for: error))
            throw error
        }
        let recorder = try tracing.recorder()
        let runner = ScenarioRunner(
            profiles: profiles, seed: seed, trace: recorder, isStrict: strict,
            keepsTraces: output.html != nil && recorder != nil,
            relyingParty: party)
        let reports = try await play(scenarios, by: runner, recorder)
        if !output.json {
            Narrator.summarize(reports, pending: try output.pending(in: reports, areAll: files.isEmpty))
        }
        try output.write(reports)
        try Narrator.requireSuccess(reports)
    }

    /// The scenarios to play, and the relying party that takes the place of the program's own.
    private func selected(_ profiles: ProfileLibrary) throws -> ([Scenario], ForeignParty?) {
        let runs = try read(profiles)
        let scenarios = try real.renaming(try selection.select(from: runs))
        if !files.isEmpty, let left = ScenarioSelection.filesLeftOut(runs, selected: scenarios) {
            Terminal.writeError(left)
        }
        try real.check(scenarios)
        let party = try foreign.party()
        if let party { for scenario in scenarios { try scenario.checkPlayable(at: party) } }
        return (scenarios, party)
    }

    /// - Throws: `SourceError` with the mistakes of all files.
    private func read(_ profiles: ProfileLibrary) throws -> [Scenario] {
        var mistakes: [SourceError] = []
        var runs: [Scenario] = []
        for path in try ScenarioLibrary.standard().files(matching: files) {
            do {
                // A device's profile may be another one with --device.
                let own = try ScenarioLibrary.runs(of: path, profiles: real.devices.isEmpty ? profiles : nil)
                for run in own {
                    let run = try real.substituting(in: run, from: profiles)
                    _ = try run.profiles(from: profiles)
                    runs.append(run)
                }
            } catch let error as SourceError {
                mistakes.append(error)
            }
        }
        if let error = SourceError.joining(mistakes) { throw error }
        return runs
    }

    /// Plays the runs; an interruption ends the command after a summary of the finished ones.
    private func play(
        _ scenarios: [Scenario], by runner: ScenarioRunner, _ recorder: TraceRecorder?
    ) async throws -> [ScenarioReport] {
        let isLive = !real.devices.isEmpty || recorder != nil || jobs == 1
        // A run often waits for a thread or a socket.
        let jobs = isLive ? 1 : jobs ?? 4 * ProcessInfo.processInfo.activeProcessorCount
        let narrator = Narrator(verbose: verbose, isQuiet: output.json)
        let about = Dictionary(
            scenarios.map { ([$0.file, $0.name], $0.about) }, uniquingKeysWith: { first, _ in first })
        let (part, items) = (shard.part(of: scenarios.count), shard.items(of: scenarios))
        if items.isEmpty, !scenarios.isEmpty {
            Terminal.writeError(
                "This shard has none of the \(Wording.counted(scenarios.count, "run")); another one has them.")
        }
        if items.count > 1 { Terminal.writeError("Playing \(Wording.counted(items.count, "run"))") }
        let progress = RunProgress("run", expected: items.count)
        let finished = Mutex<[ScenarioReport]>([])
        do {
            return try await Interruption.cancelling { [real] in
                try await ScenarioBatch(jobs: jobs).run(items) { item in
                    guard isLive else { return try await runner.run(item.scenario, number: item.number, of: part) }
                    RunProgress.clear()
                    narrator.begin(item.scenario.name, about: item.scenario.about)
                    return try await real.open(for: item.scenario, trace: recorder) { devices in
                        try await runner.run(
                            item.scenario, number: item.number, of: part, on: devices, onStep: narrator.step)
                    }
                } onReport: { report in
                    finished.withLock { $0.append(report) }
                    RunProgress.clear()
                    if !isLive {
                        narrator.begin(report.name, about: about[[report.file, report.name]] ?? "")
                        report.steps.filter(\.wasPlayed).forEach(narrator.step)
                    }
                    narrator.end(report)
                    progress.advance(hasFailed: !report.passed)
                }
            }
        } catch let error as Interruption.Interrupted {
            RunProgress.clear()
            let reports = finished.withLock(\.self)
            if !output.json, !reports.isEmpty { Narrator.summarize(reports, pending: 0) }
            let rest = items.count - reports.count
            let words =
                "\(reports.count) of \(Wording.counted(items.count, "run")) ended; \(Wording.counted(rest, "run")) did not"
            try output.write(reports, unplayed: "The command was interrupted: " + words)
            Terminal.writeError(
                words + (output.junit == nil ? "; no report is written" : "; --junit has a failure for them"))
            throw error
        }
    }
}
