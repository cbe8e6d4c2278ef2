import ArgumentParser
import Wording

/// The words of the command line that name commands.
enum Subcommand {
    /// Refuses a word that names no command, with the nearest ones.
    ///
    /// The argument parser would report it as an unexpected argument.
    static func check(_ arguments: ArraySlice<String>) throws {
        try check(arguments, of: Touchstone.self, path: "touchstone")
    }

    /// The advice on commands that other programs have.
    private static let advice: [String: String] = {
        let stop =
            "Ctrl-C ends a device in its terminal, and `kill` elsewhere: `touchstone device status` shows its process"
        let list =
            "`touchstone device status` shows the running device, and `touchstone profiles list` the kinds of devices"
        return ["stop": stop, "end": stop, "kill": stop, "delete": stop, "list": list, "ls": list]
            .reduce(into: [:]) { $0["touchstone device \($1.key)"] = $1.value }
    }()

    /// An error about the arguments of a command, with the command's usage, as the argument parser reports its own.
    static func usageError(_ message: String, of command: any ParsableCommand.Type) -> CommandError {
        let path = path(to: command, in: Touchstone.self) ?? []
        let usage = Touchstone.usageString(for: command).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n       ")
        return CommandError(
            "Error: \(message)\nUsage: \(usage)\n"
                + "  See '\(([Touchstone._commandName] + path).joined(separator: " ")) --help' for more information.",
            .badInput)
    }

    /// The words that lead from a command to one below it; nil where it is none of them.
    private static func path(
        to wanted: any ParsableCommand.Type, in command: any ParsableCommand.Type
    ) -> [String]? {
        guard command != wanted else { return [] }
        for subcommand in command.configuration.subcommands {
            if let path = path(to: wanted, in: subcommand) { return [subcommand._commandName] + path }
        }
        return nil
    }

    private static func check(
        _ arguments: ArraySlice<String>, of command: any ParsableCommand.Type, path: String
    ) throws {
        guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return }
        var names: [String] = []
        for subcommand in command.configuration.subcommands {
            let name = subcommand._commandName
            names.append(name)
            if name == word || subcommand.configuration.aliases.contains(word) {
                return try check(arguments.dropFirst(), of: subcommand, path: "\(path) \(word)")
            }
        }
        guard !names.isEmpty else { return }
        if let advice = advice["\(path) \(word)"] {
            throw CommandError("`\(path)` has no command \"\(word)\"; \(advice)", .badInput)
        }
        let question = NearestNames.question(word, among: names, orElse: "`\(path) --help` lists the commands")
        throw CommandError("`\(path)` has no command \"\(word)\"" + question, .badInput)
    }
}
