internal import CTAP

extension CTAPFault {
    /// The command with a name in one word, such as `CredentialManagementPreview`; throws for an unknown one.
    static func command(named word: String) throws(FaultSyntaxError) -> CTAPCommand {
        let known = CTAPCommand.all.compactMap { command in
            command.name.map { (command: command, word: $0.replacing(" (preview)", with: "Preview")) }
        }
        guard let command = known.first(where: { $0.word == word })?.command else {
            throw FaultSyntaxError(
                "\"\(word)\" is not a command; expected one of \(known.map(\.word).joined(separator: ", "))")
        }
        return command
    }
}

extension CTAPFault.Condition {
    /// Reads a condition, such as `0x09=2` or `0x08=empty`.
    init(parsing text: String) throws(FaultSyntaxError) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let key = Self.number(parts[0]) else { throw Self.expectation(text) }
        if parts[1] == "empty" {
            self = .empty(key: key)
        } else if let number = Self.number(parts[1]) {
            self = .number(key: key, number)
        } else {
            throw Self.expectation(text)
        }
    }

    private static func expectation(_ text: String) -> FaultSyntaxError {
        FaultSyntaxError("expected a parameter's key and its value, as in 0x09=2 or 0x08=empty, found \"\(text)\"")
    }

    private static func number(_ text: String) -> Int? {
        text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }
}
