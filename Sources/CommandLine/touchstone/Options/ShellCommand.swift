import Subprocess

/// A command of the user that acts on the subject of a run.
struct ShellCommand: Sendable {
    /// The option that names it, such as `--replug`.
    let option: String
    /// The text for the shell.
    let text: String

    /// Performs it, without standard input; its output goes to standard error.
    ///
    /// The command ends with its shell: a process that it leaves in the background runs on.
    ///
    /// - Parameter arguments: follow the text.
    /// - Throws: ``Failure`` for another exit status than 0; `CancellationError`, after the end of the shell.
    func perform(_ arguments: String...) async throws {
        let ended = try await run(
            .name("sh"), arguments: Arguments(["-c", "\(text) \"$@\"", "touchstone"] + arguments),
            output: .currentStandardError, error: .currentStandardError)
        try Task.checkCancellation()
        switch ended.terminationStatus {
        case .exited(0): return
        case .exited(let status): throw Failure(option: option, end: "ended with status \(status)")
        case .signaled(let signal): throw Failure(option: option, end: "was ended by signal \(signal)")
        }
    }

    /// The command did not do its work.
    struct Failure: Error, CustomStringConvertible {
        let option: String
        let end: String

        var description: String { "the command of \(option) \(end)" }
    }
}
