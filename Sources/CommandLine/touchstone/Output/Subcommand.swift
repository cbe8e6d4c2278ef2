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
        let question = NearestNames.question(word, among: names, orElse: "`\(path) --help` lists the commands")
        throw CommandError("`\(path)` has no command \"\(word)\"" + question, .badInput)
    }
}
