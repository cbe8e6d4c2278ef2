import Foundation
import Machine

/// A secret the user enters: a PIN or a passphrase.
///
/// It is never an argument, because every process can list command lines.
struct SecretInput {
    let name: String
    /// The file whose first line is the secret; `-` is standard input.
    let file: String?
    let option: String
    let variable: EnvironmentVariable

    private static let longestFile = 1 << 16

    /// The secret of the file, of the environment variable or, without either, of the terminal.
    ///
    /// - Parameter isNew: Whether the terminal asks for it twice.
    func read(isNew: Bool = false) throws -> String { try stored() ?? ask(isNew: isNew) }

    /// The secret of the file or the environment variable; nil without either.
    func stored() throws -> String? {
        switch file {
        case "-"?: return try checked(readLine() ?? "")
        case let file?:
            var line = try firstLine(of: file)
            defer { line.erase() }
            return String(decoding: line, as: UTF8.self)
        case nil: return try variable.value.map(checked)
        }
    }

    /// The same as bytes, which the caller erases; a `String` of a file's content could not be erased.
    func storedBytes() throws -> [UInt8]? {
        if let file, file != "-" { return try firstLine(of: file) }
        return try stored().map { Array($0.utf8) }
    }

    /// The first non-empty line of a file.
    private func firstLine(of file: String) throws -> [UInt8] {
        guard var bytes = BoundedFile.read(file, limit: Self.longestFile), bytes.count <= Self.longestFile else {
            throw CommandError("the \(name) file \(file) cannot be read", .badInput)
        }
        defer { bytes.erase() }
        if BoundedFile.isOpenToOthers(file) {
            Terminal.writeError("touchstone: warning: other users can read the \(name) file \(file); `chmod 600` it")
        }
        guard let line = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first else { throw isEmpty }
        return Array(line)
    }

    private var isEmpty: CommandError { CommandError("the \(name) is empty", .badInput) }

    /// Asks on the terminal, without showing the input.
    func ask(isNew: Bool = false) throws -> String {
        let secret = try ask("\(name.prefix(1).uppercased())\(name.dropFirst()): ")
        guard try !isNew || ask("Again: ") == secret else {
            throw CommandError("the two entries of the \(name) differ", .badInput)
        }
        return secret
    }

    private func ask(_ prompt: String) throws -> String {
        do {
            return try checked(try TerminalPrompt.ask(prompt, isSecret: true) ?? "")
        } catch is TerminalPrompt.NoTerminal {
            throw CommandError(
                "there is no terminal to ask for the \(name) on; use \(option) or $\(variable.rawValue)", .badInput)
        }
    }

    private func checked(_ text: String) throws -> String {
        guard !text.isEmpty else { throw isEmpty }
        return text
    }
}
