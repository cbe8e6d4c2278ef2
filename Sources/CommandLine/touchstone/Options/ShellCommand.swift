import Foundation

/// A command of the user that acts on the subject of a run.
struct ShellCommand: Sendable {
    /// The option that names it, such as `--replug`.
    let option: String
    /// The text for the shell.
    let text: String

    /// Performs it, without standard input; its output goes to standard error.
    ///
    /// - Parameter arguments: follow the text.
    /// - Throws: ``Failure`` for another exit status than 0.
    func perform(_ arguments: String...) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "\(text) \"$@\"", "touchstone"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.standardError
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            end.yield($0.terminationStatus)
            end.finish()
        }
        try process.run()
        for await status in ends where status != 0 {
            throw Failure(option: option, status: status)
        }
        // The loop ends early when the task is cancelled; a process that has just ended may still count as running.
        guard Task.isCancelled else { return }
        if process.isRunning { process.terminate() }
        throw CancellationError()
    }

    /// The command did not do its work.
    struct Failure: Error, CustomStringConvertible {
        let option: String
        let status: Int32

        var description: String { "the command of \(option) ended with status \(status)" }
    }
}
