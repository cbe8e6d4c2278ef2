import ArgumentParser
import DeviceProfiles
import Foundation
import Scenarios

/// `touchstone scenario`: stories with expectations.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "List, check and run scenarios.",
        subcommands: [List.self, Validate.self, Run.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the scenarios there are.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let scenarios = try ScenarioLibrary.standard().files().map(ScenarioLibrary.read)
            if json {
                try Terminal.writeJSON(scenarios.map(Summary.init))
                return
            }
            var table = TextTable("FILE", "STEPS", "SHOWS", "SCENARIO")
            for scenario in scenarios {
                table.add(
                    URL(fileURLWithPath: scenario.file).deletingPathExtension().lastPathComponent,
                    "\(scenario.steps.count)", scenario.requirements.joined(separator: " "), scenario.name)
            }
            table.lines.forEach { Terminal.write($0) }
        }

        private struct Summary: Encodable {
            let file: String
            let name: String
            let about: String
            let requirements: [String]
            let devices: [String: String]
            let steps: Int

            init(_ scenario: Scenario) {
                file = scenario.file
                name = scenario.name
                about = scenario.about
                requirements = scenario.requirements
                devices = Dictionary(uniqueKeysWithValues: scenario.devices.map { ($0.name, $0.profile) })
                steps = scenario.steps.count
            }
        }
    }

    struct Validate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check scenario files without running them.",
            discussion:
                "For each file, its first mistake: file, line and what was expected there. Exit status 2 if any.")

        @Argument(help: "Scenario files or names; without any, all that come with the program.")
        var files: [String] = []

        func run() async throws {
            let library = try ScenarioLibrary.standard()
            let profiles = try ProfileLibrary.standard()
            let paths = try files.isEmpty ? library.files() : files.map(library.path)
            var failures = 0
            for path in paths {
                do {
                    let scenario = try ScenarioLibrary.read(path)
                    _ = try scenario.profiles(from: profiles)
                    Terminal.write("\(path): ok, \(scenario.steps.count) steps")
                } catch {
                    failures += 1
                    Terminal.writeError("\(error)")
                }
            }
            guard failures == 0 else {
                throw CommandError("\(failures) of \(paths.count) scenarios are wrong", .badInput)
            }
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run scenarios and check what each side saw.",
            discussion: """
                Each scenario gets a relying party of its own on a free port, with a database of its own, and devices \
                on a simulated clock. Exit status 1 if any expectation was not met.

                With --device a real key plays a device of the scenario. What only a simulated one can do is refused \
                before anything runs; what only a simulated one tells is not looked at, and the report says so.
                """)

        @Argument(help: "Scenario files or names; without any, all that come with the program.")
        var files: [String] = []

        @Flag(help: "Print the reports as JSON.")
        var json = false

        @Option(help: "Write a JUnit XML report to this file.")
        var junit: String?

        @Option(help: "What the randomness of devices and relying party follows from.")
        var seed: UInt64 = 1

        @Flag(name: .shortAndLong, help: "Tell every step from each side.")
        var verbose = false

        @OptionGroup var real: ScenarioDeviceOptions

        @OptionGroup var tracing: TraceOptions

        func validate() throws {
            guard real.devices.isEmpty || !files.isEmpty else {
                throw ValidationError("--device needs the scenario to play.")
            }
        }

        func run() async throws {
            let library = try ScenarioLibrary.standard()
            // Every file is read before the first scenario starts: a typing error should not cost a long run.
            let scenarios = try (files.isEmpty ? library.files() : files.map(library.path)).map(
                ScenarioLibrary.read)
            try real.check(scenarios)
            try junit.map(Self.requireWritable)
            let recorder = try tracing.recorder()
            let runner = ScenarioRunner(profiles: try ProfileLibrary.standard(), seed: seed, trace: recorder)
            var reports: [ScenarioReport] = []
            for scenario in scenarios {
                let narrator = Narrator(verbose: verbose, isQuiet: json)
                narrator.begin(scenario)
                let report = try await real.open(for: scenario, trace: recorder) { devices in
                    try await runner.run(scenario, on: devices, onStep: narrator.step)
                }
                narrator.end(report)
                reports.append(report)
            }
            if json {
                try Terminal.writeJSON(reports)
            } else {
                Narrator.summary(reports).forEach { Terminal.write($0) }
            }
            if let junit { try write(JUnitReport.xml(reports), to: junit) }
            let failed = reports.count { !$0.passed }
            guard failed == 0 else {
                throw CommandError("\(failed) of \(reports.count) scenarios failed", .checkFailed)
            }
        }

        /// A report that could not be written should not cost a long run either.
        private static func requireWritable(_ path: String) throws {
            let files = FileManager.default
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
            var isDirectory: ObjCBool = false
            if files.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
                throw CommandError("\(path) cannot be written: it is a directory", .badInput)
            }
            guard files.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue else {
                throw CommandError("\(path) cannot be written: there is no directory \(directory)", .badInput)
            }
            guard files.isWritableFile(atPath: directory) else {
                throw CommandError("\(path) cannot be written: \(directory) is not writable", .badInput)
            }
        }

        private func write(_ text: String, to path: String) throws {
            do {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            } catch {
                throw CommandError("\(path) cannot be written: \(error.localizedDescription)", .badInput)
            }
        }
    }
}
