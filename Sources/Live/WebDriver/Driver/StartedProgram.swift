internal import Foundation

/// A program that this one starts, without input and output, and ends.
struct StartedProgram: Sendable {
    private let process: Process
    /// Ends with the program.
    private let end: Task<Void, Never>

    /// The status of `env` for a program that it does not find.
    static let notFound: Int32 = 127

    /// - Parameter environment: default: that of this program.
    /// - Throws: the system's error when no process can be started.
    init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        if let environment { process.environment = environment }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        self.end = Task { for await _ in end {} }
        process.terminationHandler = { _ in ending.finish() }
        do {
            try process.run()
        } catch {
            ending.finish()
            throw error
        }
    }

    var isRunning: Bool { process.isRunning }

    /// The status of an ended program.
    var status: Int32 { process.terminationStatus }

    func waitUntilEnd() async { await end.value }

    func stop() async {
        // The program inherits the signals that this one ignores, SIGTERM among them.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        await waitUntilEnd()
    }
}
