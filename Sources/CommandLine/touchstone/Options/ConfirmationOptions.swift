import ArgumentParser
import Foundation

/// The answer to the question that a destructive command asks first.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    /// Asks before something is lost, unless `--yes` is given.
    ///
    /// - Throws: `CommandError` when the user declines or cannot be asked.
    func confirm(_ question: String, word: String = "yes") throws {
        if !yes { try Self.ask(question, word: word, flag: "--yes") }
    }

    /// - Parameter flag: The option that confirms without a terminal.
    static func ask(_ question: String, word: String, flag: String) throws {
        let answer: String?
        do {
            answer = try TerminalPrompt.ask("\(question)\nType \(word) to continue: ")
        } catch {
            throw CommandError(
                "\(question) There is no terminal for a confirmation; add \(flag) to confirm.", .badInput)
        }
        guard answer?.trimmingCharacters(in: .whitespaces) == word else {
            throw CommandError("declined; nothing was changed", .checkFailed)
        }
    }
}
