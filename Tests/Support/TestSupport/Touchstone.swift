import Dispatch
public import Foundation

/// The `touchstone` program of this build, run in separate processes.
public struct Touchstone: Sendable {
    /// The output of a finished program.
    public struct Output: Sendable {
        /// The exit status; -1 after a signal.
        public let status: Int32
        /// The lines of standard output, joined with line feeds.
        public let standardOutput: String
        /// The lines of standard error, joined with line feeds.
        public let standardError: String
    }

    /// The folder of the devices' control sockets.
    public let runtimeDirectory: URL
    /// The program's file.
    public let executable: URL

    /// - Parameter bundle: The resources of the tests, which lie beside the build's products.
    public init(beside bundle: Bundle, runtimeDirectory: URL) {
        executable = bundle.bundleURL.deletingLastPathComponent().appending(path: "touchstone")
        self.runtimeDirectory = runtimeDirectory
    }

    /// Runs a command to its end.
    public func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Output {
        try await run(arguments, environment: environment)
    }

    /// Runs a command to its end.
    public func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Output {
        try await output(of: start(arguments, environment: environment))
    }

    private func output(of program: Program) async -> Output {
        async let errors = program.errors.reduce(into: []) { $0.append($1) }
        let output = await program.output.reduce(into: []) { $0.append($1) }
        return Output(
            status: await program.exitStatus(), standardOutput: output.joined(separator: "\n"),
            standardError: await errors.joined(separator: "\n"))
    }

    /// Runs a line of a shell, which starts the program in circumstances of its own, to its end.
    public func run(shell line: String) async throws -> Output {
        try await output(of: start(URL(filePath: "/bin/sh"), ["-c", line]))
    }

    /// Starts a command that runs until it is terminated.
    ///
    /// - Parameter limit: A limit of the shell's `ulimit`, such as `-n 64`.
    public func start(
        _ arguments: [String], environment additions: [String: String] = [:], limit: String? = nil
    ) throws -> Program {
        guard let limit else { return try start(executable, arguments, environment: additions) }
        let line = "ulimit \(limit) && exec \"$0\" \"$@\""
        return try start(
            URL(filePath: "/bin/sh"), ["-c", line, executable.path] + arguments, environment: additions)
    }

    private func start(
        _ executable: URL, _ arguments: [String], environment additions: [String: String] = [:]
    ) throws -> Program {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        // The program finds profiles relative to its directory.
        process.currentDirectoryURL = PackageRoot.url
        var environment = ProcessInfo.processInfo.environment
        environment["TOUCHSTONE_RUNTIME"] = runtimeDirectory.path
        environment["TOUCHSTONE_PROFILES"] = nil
        environment.merge(additions) { _, new in new }
        process.environment = environment
        return try Program(process)
    }

    /// A running program with the lines of its output.
    public final class Program: Sendable {
        /// The lines of standard output as they arrive.
        public let output: AsyncStream<String>
        /// The lines of standard error as they arrive.
        public let errors: AsyncStream<String>
        private let process: Process
        private let exits: AsyncStream<Int32>

        fileprivate init(_ process: Process) throws {
            let (outputPipe, errorPipe) = (Pipe(), Pipe())
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = outputPipe
            process.standardError = errorPipe
            let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = { ended in
                // A program ended by a signal has no exit status.
                exit.yield(ended.terminationReason == .exit ? ended.terminationStatus : -1)
                exit.finish()
            }
            try process.run()
            self.process = process
            self.exits = exits
            output = Self.lines(of: outputPipe.fileHandleForReading)
            errors = Self.lines(of: errorPipe.fileHandleForReading)
        }

        /// The process ID.
        public var processID: Int32 { process.processIdentifier }

        /// Terminates this process only.
        public func terminate() {
            if process.isRunning { process.terminate() }
        }

        /// Waits for the end; -1 after a signal, or when the test was cancelled first.
        public func exitStatus() async -> Int32 {
            for await status in exits { return status }
            return -1
        }

        /// The lines as they arrive, read on a thread outside the concurrency pool.
        private static func lines(of handle: FileHandle) -> AsyncStream<String> {
            let (lines, line) = AsyncStream.makeStream(of: String.self)
            DispatchQueue.global().async {
                var rest = Data()
                while case let chunk = handle.availableData, !chunk.isEmpty {
                    rest += chunk
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        line.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                if !rest.isEmpty { line.yield(String(decoding: rest, as: UTF8.self)) }
                try? handle.close()
                line.finish()
            }
            return lines
        }
    }
}
