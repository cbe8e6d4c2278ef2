import Foundation

/// Secrets the user enters.
///
/// They never stand on the command line, which every process can list.
enum SecretInput {
    /// Reads a secret from a file, an environment variable or, without either, the terminal.
    ///
    /// - Parameters:
    ///   - file: The file whose first line is the secret; `-` is standard input.
    ///   - what: The secret's name in errors.
    static func read(file: String?, variable: String, prompt: String, what: String) throws -> String {
        guard let text = try stored(file: file, variable: variable, what: what) else {
            return try ask(prompt, what: what, remedy: "use a file or $\(variable)")
        }
        guard !text.isEmpty else { throw CommandError("the \(what) is empty", .badInput) }
        return text
    }

    /// The secret in a file or an environment variable; nil without either.
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

    /// Asks on the terminal, without showing the input.
    static func ask(_ prompt: String, what: String, remedy: String) throws -> String {
        guard let text = TerminalPrompt.ask(prompt, isSecret: true) else {
            throw CommandError("there is no terminal to ask for the \(what) on; \(remedy)", .badInput)
        }
        guard !text.isEmpty else { throw CommandError("the \(what) is empty", .badInput) }
        return text
    }
}
