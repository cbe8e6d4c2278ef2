import ArgumentParser
import DeviceProfiles
import Documents
import Foundation
import Machine
internal import ProfileFiles
import Scenarios
import Wording
internal import YAMLFiles

/// `touchstone scenario`.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "List, show, copy, write, check and run scenarios.",
        subcommands: [
            List.self, Show.self, Copy.self, ScenarioNewCommand.self, Validate.self, ScenarioRunCommand.self,
            Schema.self,
        ])

    static let filesHelp: ArgumentHelp =
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
            let scenarios = check.read(
                try ScenarioLibrary.standard().files(),
                as: { path throws(SourceError) in try ScenarioLibrary.runs(of: path) })
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
                Prints every mistake, with its line. Exit status 2 if there is one.
                """)

        @Argument(help: ScenarioCommand.filesHelp, completion: .scenarios)
        var files: [String] = []

        func run() async throws {
            let profiles = try ProfileLibrary.standard().caching()
            let library = try ScenarioLibrary.standard()
            let paths = try library.files(matching: files)
            if files.isEmpty { FileCheck.announce(paths, "scenario", in: library.directories) }
            try FileCheck.run(paths, "scenario") { path throws(SourceError) in
                let runs = try ScenarioLibrary.runs(of: path, profiles: profiles)
                let steps = Wording.counted(runs[0].steps.count, "step")
                return runs.count == 1 ? steps : "\(steps), \(runs.count) runs"
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a scenario's file.")

        @Argument(help: "A name of `touchstone scenario list`, or a path.", completion: .scenarios)
        var name: String

        func run() throws {
            Terminal.write(
                try ResourceFiles.text(of: try ScenarioLibrary.standard().path(of: name)).droppingLastLineFeed)
        }
    }

    struct Copy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy", abstract: "Copy a scenario to a file of your own.",
            discussion: """
                The files with the scenario's first steps are copied to the same place beside it. Missing folders are made; \
                an existing file is not changed.
                """)

        @Argument(help: "A name of `touchstone scenario list`, or a path.", completion: .scenarios)
        var name: String

        @Argument(
            help: "The file to write, or a folder for a file of the scenario's name; default: the working directory.",
            completion: .file(extensions: ["yaml", "yml"]))
        var file: String?

        func run() throws {
            let source = try ScenarioLibrary.standard().path(of: name)
            let target = try self.target(of: source)
            let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
            var copies = [(from: source, to: URL(fileURLWithPath: target))]
            for (path, name) in try ScenarioLibrary.sharedSteps(of: source) {
                let copy = folder.appending(path: name)
                let existing = try? Data(contentsOf: copy)
                if try existing != Data(ResourceFiles.text(of: path).utf8) { copies.append((path, copy)) }
            }
            for copy in copies where FileManager.default.fileExists(atPath: copy.to.path) {
                throw CommandError("\(copy.to.relativePath) exists; choose another file", .badInput)
            }
            for copy in copies {
                try CommandError.writing(copy.to.relativePath) {
                    try FileManager.default.createDirectory(
                        at: copy.to.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(try ResourceFiles.text(of: copy.from).utf8).write(
                        to: copy.to, options: .withoutOverwriting)
                }
                Terminal.write("\(copy.to.relativePath) is written")
            }
            Terminal.write("Play it with `touchstone scenario run \(try NewFile(target, of: "scenario").argument)`")
        }

        private func target(of source: String) throws -> String {
            let name = ResourceName.name(ofFile: source) + ".yaml"
            guard let file else { return name }
            if file.hasSuffix("/") { return file + name }
            return ResourceFiles.isDirectory(file) ? "\(file)/\(name)" : try NewFile(file, of: "scenario").path
        }
    }
}

extension String {
    fileprivate var droppingLastLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
