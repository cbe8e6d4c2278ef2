import Foundation

/// Secrets a person types: never on the command line, which anybody may list.
enum SecretInput {
    /// Reads a secret from a file, an environment variable or, without either, the terminal.
    ///
    /// - Parameters:
    ///   - file: a file whose first line it is; `-` is standard input.
    ///   - what: what it is, for errors.
    static func read(file: String?, variable: String, prompt: String, what: String) throws -> String {
        guard let text = try stored(file: file, variable: variable, what: what) else {
            return try ask(prompt, what: what, remedy: "a file or $\(variable) can hold it")
        }
        guard !text.isEmpty else { throw CommandError("the \(what) is empty", .badInput) }
        return text
    }

    /// The secret in a file or an environment variable; nil when neither is given.
    static func stored(file: String?, variable: String, what: String) throws -> String? {
        switch file {
        case "-": return readLine() ?? ""
        case let file?:
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandError("the \(what) file \(file) cannot be read", .badInput)
            }
            return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        case nil: return ProcessInfo.processInfo.environment[variable]
        }
    }

    /// Asks on the terminal, whatever standard input is, without showing what is typed.
    static func ask(_ prompt: String, what: String, remedy: String) throws -> String {
        guard let text = TerminalPrompt.ask(prompt, isSecret: true) else {
            throw CommandError("there is no terminal to ask for the \(what) on; \(remedy)", .badInput)
        }
        guard !text.isEmpty else { throw CommandError("the \(what) is empty", .badInput) }
        return text
    }
}
