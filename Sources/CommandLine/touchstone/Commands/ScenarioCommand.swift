import ArgumentParser
import DeviceProfiles
import Documents
import Foundation
import Machine
import Scenarios
import Wording

/// `touchstone scenario`.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "List, write, check and run scenarios.",
        subcommands: [List.self, ScenarioNewCommand.self, Validate.self, Run.self, Schema.self])

    private static let filesHelp: ArgumentHelp =
        "Names, files, folders or patterns such as 'tests/*.yaml'; - for standard input; default: all scenarios of this program."

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of scenario files.",
            discussion: """
                Editors complete and check a file that begins with \
                "# yaml-language-server: $schema=./schema.json".
                """)

        func run() throws { Terminal.write(String(ScenarioSchema.json.dropLast())) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the scenarios.",
            discussion:
                "REQUIREMENTS are the identifiers under `requirements:` in the scenario. Use those of your own project."
        )

        @OptionGroup var output: OutputOptions

        func run() async throws {
            var check = FileCheck("scenario")
            let scenarios = check.read(try ScenarioLibrary.standard().files(), as: ScenarioLibrary.runs)
            try output.write(scenarios.compactMap(Summary.init), "FILE", "RUNS", "STEPS", "REQUIREMENTS", "SCENARIO") {
                [
                    URL(fileURLWithPath: $0.file).deletingPathExtension().lastPathComponent,
                    "\($0.runs)", "\($0.steps)", $0.requirements.joined(separator: " "), $0.name,
                ]
            }
            try check.end()
        }

        private struct Summary: Encodable {
            let file: String
            let name: String
            let about: String
            let requirements: [String]
            let devices: [String: String]
            let steps: Int
            let runs: Int

            init?(_ runs: [Scenario]) {
                guard let scenario = runs.first else { return nil }
                self.runs = runs.count
                file = scenario.file
                name = scenario.title
                about = scenario.about
                requirements = runs.flatMap(\.requirements).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
                devices = Dictionary(uniqueKeysWithValues: scenario.devices.map { ($0.name, $0.profile) })
                steps = scenario.steps.count
            }
        }
    }

    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate", abstract: "Check scenario files without running them.",
            discussion: """
                Prints each file's first mistake, with its line. \
                Exit status 2 if there is a mistake.
                """)

        @Argument(help: ScenarioCommand.filesHelp)
        var files: [String] = []

        func run() async throws {
            let profiles = try ProfileLibrary.standard().caching()
            let paths = try ScenarioLibrary.standard().files(matching: files)
            try FileCheck.run(paths, "scenario") { path throws(SourceError) in
                let runs = try ScenarioLibrary.runs(of: path, profiles: profiles)
                let steps = Wording.counted(runs[0].steps.count, "step")
                return runs.count == 1 ? steps : "\(steps), \(runs.count) runs"
            }
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run scenarios and check the observations of each side.",
            discussion: """
                A scenario with a matrix is played once for each combination of its parameters. Each run has its own relying party on a free port, database and devices on a simulated clock. Exit status 1 if an expectation is not met.

                With --device a real key replaces a device of the scenario. A scenario with steps that need a simulated \
                device is refused before it starts. Expectations that need one are skipped, and the report names them. \
                With --device NAME=virtual:PROFILE the device is a simulated one of another profile.

                With --relying-party the relying party is another program, as a file describes it. A scenario with steps that need Touchstone's own is refused before it starts, and expectations that need it are skipped.
                """)

        @Argument(help: ScenarioCommand.filesHelp)
        var files: [String] = []

        @OptionGroup var output: ReportOptions

        @Option(help: "Random seed of the devices and the relying party.")
        var seed: UInt64 = 1

        @Flag(help: "Fail a step that expects a refusal without a reason (cause, status, told or another).")
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
            if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs needs a number from 1 to 256.") }
        }

        func run() async throws {
            // All files are read before the first scenario starts: a typing error should not cost a long run.
            let profiles = try ProfileLibrary.standard().caching()
            let runs = try ScenarioLibrary.standard().files(matching: files).flatMap { path in
                try ScenarioLibrary.runs(of: path).map { run in
                    let run = try real.substituting(in: run)
                    _ = try run.profiles(from: profiles)
                    return run
                }
            }
            let scenarios = try selection.select(from: runs)
            if !files.isEmpty, let left = ScenarioSelection.filesLeftOut(runs, selected: scenarios) {
                Terminal.writeError(left)
            }
            try real.check(scenarios)
            let party = try foreign.party()
            if let party { for scenario in scenarios { try scenario.checkPlayable(at: party) } }
            try output.check()
            let recorder = try tracing.recorder()
            let runner = ScenarioRunner(
                profiles: profiles, seed: seed, trace: recorder, isStrict: strict, keepsTraces: output.html != nil,
                relyingParty: party)
            let isLive = !real.devices.isEmpty || recorder != nil || jobs == 1
            // A run often waits for a thread or a socket.
            let jobs = jobs ?? 4 * ProcessInfo.processInfo.activeProcessorCount
            let narrator = Narrator(verbose: verbose, isQuiet: output.json)
            let about = Dictionary(scenarios.map { ($0.name, $0.about) }, uniquingKeysWith: { first, _ in first })
            let part = shard.part(of: scenarios.count)
            let reports = try await ScenarioBatch(jobs: isLive ? 1 : jobs).run(shard.items(of: scenarios)) { item in
                guard isLive else { return try await runner.run(item.scenario, number: item.number, of: part) }
                narrator.begin(item.scenario.name, about: item.scenario.about)
                return try await real.open(for: item.scenario, trace: recorder) { devices in
                    try await runner.run(
                        item.scenario, number: item.number, of: part, on: devices, onStep: narrator.step)
                }
            } onReport: { report in
                if !isLive {
                    narrator.begin(report.name, about: about[report.name] ?? "")
                    report.steps.filter(\.wasPlayed).forEach(narrator.step)
                }
                narrator.end(report)
            }
            if !output.json {
                Narrator.summarize(reports, pending: try output.pending(in: reports, areAll: files.isEmpty))
            }
            try output.write(reports)
            try Narrator.requireSuccess(reports)
        }
    }
}
