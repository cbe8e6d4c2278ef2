import Dispatch
public import Foundation

/// The `touchstone` program, as this build has made it, in processes of its own.
public struct Touchstone: Sendable {
    /// A finished program.
    public struct Output: Sendable {
        public let status: Int32
        public let standardOutput: String
        public let standardError: String
    }

    /// Where its devices keep their control sockets.
    public let runtimeDirectory: URL
    private let executable: URL

    /// - Parameter bundle: the resources of the tests, which lie beside the products of the build.
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
        let program = try start(arguments, environment: environment)
        async let errors = program.errors.reduce(into: []) { $0.append($1) }
        let output = await program.output.reduce(into: []) { $0.append($1) }
        return Output(
            status: await program.exitStatus(), standardOutput: output.joined(separator: "\n"),
            standardError: await errors.joined(separator: "\n"))
    }

    /// Starts a command that goes on until it is told to end.
    public func start(_ arguments: [String], environment additions: [String: String] = [:]) throws -> Program {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        // Profiles are found from here.
        process.currentDirectoryURL = PackageRoot.url
        var environment = ProcessInfo.processInfo.environment
        environment["TOUCHSTONE_RUNTIME"] = runtimeDirectory.path
        environment["TOUCHSTONE_PROFILES"] = nil
        environment.merge(additions) { _, new in new }
        process.environment = environment
        return try Program(process)
    }

    /// A running program, and what it writes line by line.
    public final class Program: Sendable {
        public let output: AsyncStream<String>
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
                // A signal that ended the program is no exit status of its own.
                exit.yield(ended.terminationReason == .exit ? ended.terminationStatus : -1)
                exit.finish()
            }
            try process.run()
            self.process = process
            self.exits = exits
            output = Self.lines(of: outputPipe.fileHandleForReading)
            errors = Self.lines(of: errorPipe.fileHandleForReading)
        }

        public var processID: Int32 { process.processIdentifier }

        /// Asks this process, and no other, to end.
        public func terminate() {
            if process.isRunning { process.terminate() }
        }

        /// Waits for the end; -1 when it came by a signal, or when the test was stopped first.
        public func exitStatus() async -> Int32 {
            for await status in exits { return status }
            return -1
        }

        /// Lines as they come, read on a thread that may block.
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
                line.finish()
            }
            return lines
        }
    }
}
