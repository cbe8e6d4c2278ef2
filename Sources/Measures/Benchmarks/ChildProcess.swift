internal import Foundation
internal import Synchronization

/// Another process of this program, which a benchmark measures or talks to.
final class ChildProcess: Sendable {
    private let process: Mutex<Process>
    /// Its standard output where that is kept, otherwise its standard error.
    private let output: FileHandle

    /// Starts the program; `environment` adds variables to those of this process, `keepsOutput` serves ``wait()``.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], keepsOutput: Bool = false
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardError = keepsOutput ? FileHandle.standardError : pipe
        process.standardOutput = keepsOutput ? pipe : FileHandle.nullDevice
        try process.run()
        Leftovers.note(process: process.processIdentifier)
        output = pipe.fileHandleForReading
        self.process = Mutex(process)
    }

    /// Reads its standard error up to the port that is the pattern's first capture, and drops the rest.
    func port(_ pattern: Regex<(Substring, Substring)>) throws -> Int {
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { throw BenchmarkFailure(description: "the program did not start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            guard let match = text.firstMatch(of: pattern), let port = Int(match.1) else { continue }
            output.readabilityHandler = { handle in
                if handle.availableData.isEmpty { handle.readabilityHandler = nil }
            }
            return port
        }
    }

    /// The processor time it has used, in microseconds.
    func processorTime() throws -> Double {
        let id = process.withLock { $0.processIdentifier }
        let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        // The name in parentheses may contain spaces; times are the 14th and 15th fields.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw BenchmarkFailure(description: "/proc/\(id)/stat has no times")
        }
        return (user + system) * 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    func residentBytes() throws -> Int { try ResidentMemory.bytes(of: process.withLock { "\($0.processIdentifier)" }) }

    /// Waits for its end, and returns the text of ``output``; throws for an exit status other than 0.
    @discardableResult
    func wait() throws -> String {
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        let status = process.withLock { process in
            process.waitUntilExit()
            Leftovers.forget(process: process.processIdentifier)
            return process.terminationStatus
        }
        guard status == 0 else { throw BenchmarkFailure(description: "the program ended with \(status): \(text)") }
        return text
    }

    func stop() {
        process.withLock { process in
            process.terminate()
            process.waitUntilExit()
            Leftovers.forget(process: process.processIdentifier)
        }
    }
}

/// The memory of a process that is not swapped out.
enum ResidentMemory {
    /// - Parameter process: the process's number, or `self`.
    static func bytes(of process: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkFailure(description: "/proc/\(process)/statm has no resident set size")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A folder for the files of a benchmark, deleted after it.
struct BenchmarkFolder {
    func file(_ name: String) -> String { "\(path)/\(name)" }

    let path: String

    /// - Parameter onDisk: Whether the files must be on a disk, where temporary ones may be in memory.
    static func with<Result>(
        onDisk: Bool = true, _ body: (BenchmarkFolder) async throws -> Result
    ) async throws -> Result {
        let parent = onDisk ? FileManager.default.currentDirectoryPath : FileManager.default.temporaryDirectory.path
        let path = "\(parent)/.touchstone-bench-\(UUID().uuidString)"
        Leftovers.note(folder: path)
        defer { Leftovers.remove(folder: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return try await body(BenchmarkFolder(path: path))
    }
}
