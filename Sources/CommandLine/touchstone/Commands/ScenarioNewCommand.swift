import ArgumentParser
import DeviceProfiles
import Foundation
internal import ProfileFiles
import Scenarios
import Wording

extension ScenarioDraft.Flow: ExpressibleByArgument {}

/// `touchstone scenario new`.
struct ScenarioNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a first scenario.",
        discussion: """
            On a terminal it asks for missing options. The command plays the scenario first, and writes it \
            only if it passes. Then change its steps and expectations. An existing file stays as it is. Editors complete the file with \
            the schema that `touchstone scenario schema > schema.json` writes beside it.
            """)

    @Argument(help: "The file to write, such as my-scenario.yaml; default: standard output.")
    var file: String?

    @Option(help: "The scenario's name, in one line.")
    var name: String?

    @Option(
        name: .customLong("profile"),
        help: "The device's profile. Several profiles become a matrix with a run for each.", completion: .profiles)
    var profiles: [String] = []

    @Option(help: "The flow: \(flows).")
    var flow: ScenarioDraft.Flow?

    @Option(name: .customLong("requirement"), help: "A requirement that the scenario shows, such as A23.")
    var requirements: [String] = []

    private static let flows = ScenarioDraft.Flow.allCases.map { "\($0.rawValue) (\($0.meaning))" }
        .joined(separator: ", ")

    func run() async throws {
        let library = try ProfileLibrary.standard()
        // Wrong options are told before the first question.
        let target = try file.map { file throws(CommandError) in try NewFile(file, of: "scenario") }
        for profile in profiles { _ = try library.profile(profile) }
        let name = try name ?? ask("The scenario's name? ", option: "--name") { $0 }
        let profiles =
            try self.profiles.isEmpty
            ? [ask("Which profile has the device? ", option: "--profile", library.checked)] : profiles
        let flow = try self.flow ?? ask("The flow? \(Self.flows): ", option: "--flow") { try Self.flow(named: $0) }
        let draft = ScenarioDraft(name: name, profiles: profiles, flow: flow, requirements: requirements)
        try await draft.check(library)
        let text = try draft.text(library)
        guard let target else { return Terminal.write(String(text.dropLast())) }
        try target.write(text)
        Terminal.write("\(target.path) is written; play it with `touchstone scenario run \(target.argument)`")
        Terminal.write("An editor completes it after `touchstone scenario schema > schema.json` in the same folder")
    }

    private static func flow(named text: String) throws -> ScenarioDraft.Flow {
        guard let flow = ScenarioDraft.Flow(rawValue: text) else {
            let names = ScenarioDraft.Flow.allCases.map(\.rawValue)
            throw CommandError(
                "\"\(text)\" is not a flow"
                    + NearestNames.question(
                        text, among: names, orElse: "choose one of \(names.joined(separator: ", "))"), .badInput)
        }
        return flow
    }

    /// Asks until the user types an answer that can be read; the end of the input ends the program.
    private func ask<Answer>(_ question: String, option: String, _ read: (String) throws -> Answer) throws -> Answer {
        while true {
            guard isatty(STDIN_FILENO) == 1, let line = try? TerminalPrompt.ask(question) else {
                throw CommandError("\(option) is missing, and there is no terminal to ask at", .badInput)
            }
            do {
                guard !line.isEmpty else { throw CommandError("the answer is empty; give a value", .badInput) }
                return try read(line)
            } catch {
                Terminal.writeError((error as? CommandError)?.message ?? "\(error)")
            }
        }
    }
}

extension ProfileLibrary {
    /// The name or path itself, if it is a profile's.
    fileprivate func checked(_ name: String) throws -> String {
        _ = try profile(name)
        return name
    }
}
