import ArgumentParser

/// The answer to the question that a destructive command asks first.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    /// Asks before something is lost, unless `--yes` is given.
    ///
    /// - Parameter word: The word the user types to confirm.
    /// - Throws: `CommandError` when the user declines or cannot be asked.
    func confirm(_ question: String, word: String = "yes", with person: KeyPerson) throws {
        if !yes { try person.confirm(question, word: word) }
    }
}
