internal import Dispatch
public import Foundation

/// The tests' Python, with the independent implementations that `scripts/requirements.txt` names.
public enum Python {
    /// The output of a finished script.
    public struct Output: Sendable {
        /// The text on standard output.
        public let standardOutput: String
        /// The text on standard error.
        public let standardError: String
        /// The exit status.
        public let exitCode: Int32

        /// The lines of standard output, without the empty one after the last line feed.
        public var lines: [Substring] {
            standardOutput.split(separator: "\n")
        }
    }

    /// The failure of a script.
    public enum Failure: Error, CustomStringConvertible {
        /// No interpreter exists at the path.
        case noInterpreter(String)
        /// The interpreter lacks a module; the associated value is its error.
        case missingModule(String)
        /// The script ended with an exit status other than 0.
        case failed(Output)

        private static let remedy = "run `make test`, or `scripts/setup.sh test` once, which installs it"

        /// The error, and the remedy.
        public var description: String {
            switch self {
            case .noInterpreter(let path): "no Python at \(path): \(Self.remedy)"
            case .missingModule(let complaint): "\(complaint): \(Self.remedy)"
            case .failed(let output): "the Python script ended with \(output.exitCode): \(output.standardError)"
            }
        }
    }

    /// The interpreter that `TOUCHSTONE_PYTHON` names; default: the one `scripts/setup.sh test` installs.
    public static var interpreter: URL {
        if let path = ProcessInfo.processInfo.environment["TOUCHSTONE_PYTHON"], !path.isEmpty {
            return URL(filePath: path, relativeTo: PackageRoot.url)
        }
        return PackageRoot.url.appending(path: ".build/python/bin/python")
    }

    /// Runs a script, given as source text, to its end.
    ///
    /// - Parameters:
    ///   - script: The source text.
    ///   - arguments: The script's `sys.argv[1:]`.
    ///   - standardInput: The script's standard input.
    /// - Throws: ``Failure`` when the interpreter or a module is missing, or the exit status is not 0.
    public static func run(
        script: String, arguments: [String] = [], standardInput: String = ""
    ) async throws -> Output {
        let interpreter = Self.interpreter
        guard FileManager.default.isExecutableFile(atPath: interpreter.path) else {
            throw Failure.noInterpreter(interpreter.path)
        }
        // A file instead of a pipe: a script that stops reading early must not end the tests with SIGPIPE.
        let input = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
        try Data(standardInput.utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }

        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = interpreter
        process.arguments = ["-c", script] + arguments
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        process.standardError = errors
        let result = try await finish(process, output: output.fileHandleForReading, errors: errors.fileHandleForReading)
        if result.exitCode == 0 { return result }
        if let complaint = result.standardError.split(separator: "\n").last, complaint.hasPrefix("ModuleNotFoundError")
        {
            throw Failure.missingModule(String(complaint))
        }
        throw Failure.failed(result)
    }

    private static func finish(_ process: Process, output: FileHandle, errors: FileHandle) async throws -> Output {
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ended in
            exit.yield(ended.terminationStatus)
            exit.finish()
        }
        try process.runUnblocked()
        // Both at once: a full pipe would stop the script.
        async let outputText = text(of: output)
        async let errorText = text(of: errors)
        let (standardOutput, standardError) = try await (outputText, errorText)
        var exitCode: Int32 = -1
        for await code in exits { exitCode = code }
        return Output(standardOutput: standardOutput, standardError: standardError, exitCode: exitCode)
    }

    /// Reads to the end on a thread outside the concurrency pool, because reading blocks.
    private static func text(of handle: FileHandle) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self) })
            }
        }
    }
}
