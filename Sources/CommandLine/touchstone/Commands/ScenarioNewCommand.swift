import ArgumentParser
import DeviceProfiles
import Foundation
import Scenarios

extension ScenarioDraft.Flow: ExpressibleByArgument {}

/// `touchstone scenario new`.
struct ScenarioNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a first scenario.",
        discussion: """
            On a terminal it asks for what the options leave out. The scenario passes as it is; change its steps and \
            expectations from there. An existing file stays as it is.
            """)

    @Argument(help: "The file to write, such as my-scenario.yaml; default: standard output.")
    var file: String?

    @Option(help: "The scenario's name: what it shows, in one line.")
    var name: String?

    @Option(
        name: .customLong("profile"),
        help: "The device's profile. Several profiles become a matrix with a run for each.")
    var profiles: [String] = []

    @Option(help: "What happens: \(flows).")
    var flow: ScenarioDraft.Flow?

    @Option(name: .customLong("requirement"), help: "A requirement that the scenario shows, such as A23.")
    var requirements: [String] = []

    private static let flows = ScenarioDraft.Flow.allCases.map { "\($0.rawValue) (\($0.meaning))" }
        .joined(separator: ", ")

    func run() async throws {
        let name = try name ?? answer("What does the scenario show? ", option: "--name")
        let profiles =
            try self.profiles.isEmpty ? [answer("Which profile has the device? ", option: "--profile")] : profiles
        let flow = try self.flow ?? askForFlow()
        let library = try ProfileLibrary.standard()
        for profile in profiles { _ = try library.profile(profile) }
        let text = try ScenarioDraft(name: name, profiles: profiles, flow: flow, requirements: requirements).text()
        guard let file else { return Terminal.write(String(text.dropLast())) }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw CommandError("\(file) exists; choose another name", .badInput)
        } catch {
            throw CommandError("\(file) cannot be written: \(error.localizedDescription)", .badInput)
        }
        Terminal.write("\(file) is written; play it with `touchstone scenario run \(file)`")
    }

    private func askForFlow() throws -> ScenarioDraft.Flow {
        let text = try answer("What happens? \(Self.flows): ", option: "--flow")
        guard let flow = ScenarioDraft.Flow(rawValue: text) else {
            let names = ScenarioDraft.Flow.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError("\"\(text)\" is no flow; choose one of \(names)", .badInput)
        }
        return flow
    }

    /// The line that the user types.
    private func answer(_ question: String, option: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1, let line = TerminalPrompt.ask(question) else {
            throw CommandError("\(option) is missing, and there is no terminal to ask at", .badInput)
        }
        guard !line.isEmpty else { throw CommandError("\(option) is empty; give a value", .badInput) }
        return line
    }
}
