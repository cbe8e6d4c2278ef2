import Foundation
import Radio
import TestSupport

/// A program of another project on a private bus.
enum ForeignProgram {
    /// The output on both streams, and the exit status.
    struct Output: Sendable {
        let text: String
        let status: Int32
    }

    struct Missing: Error, CustomStringConvertible {
        let program: String

        var description: String { "\(program) was not found: run `scripts/setup.sh test` once, which installs it" }
    }

    /// GLib's client of D-Bus, which shares no code with libdbus.
    static func gdbus(_ bus: BusDaemon, _ command: String, _ arguments: String...) async throws -> Output {
        try await run(find("gdbus"), [command, "--address", bus.address] + arguments, on: bus)
    }

    /// Runs bluetoothctl with lines on its standard input, which stays open until the reader has seen a text.
    ///
    /// - Parameter expectations: For each line the text that its output ends with.
    static func bluetoothctl(_ bus: BusDaemon, _ dialogue: [(line: String, expected: String)]) async throws -> String {
        let started = try start(find("bluetoothctl"), on: bus, takesInput: true)
        var output = ""
        for (line, expected) in dialogue {
            if !line.isEmpty { started.write(line + "\n") }
            output += try await started.read(until: expected)
        }
        started.write("quit\n")
        output += try await started.readToEnd()
        return output
    }

    static func run(_ program: String, _ arguments: [String], on bus: BusDaemon) async throws -> Output {
        let started = try start(program, arguments, on: bus)
        let text = try await started.readToEnd()
        return Output(text: text, status: await started.status())
    }

    static func start(
        _ program: String, _ arguments: [String] = [], on bus: BusDaemon, takesInput: Bool = false
    ) throws -> RunningForeignProgram {
        try RunningForeignProgram(program, arguments, address: bus.address, takesInput: takesInput)
    }

    static func find(_ name: String) throws -> String {
        let unpacked = PackageRoot.url.appending(path: ".build/bluez/usr/bin").path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + [unpacked]
        let paths = folders.map { "\($0)/\(name)" }
        guard let found = paths.first(where: FileManager.default.isExecutableFile) else { throw Missing(program: name) }
        return found
    }
}

/// A running program, whose output on both streams the test reads.
final class RunningForeignProgram: Sendable {
    private let process: Process
    private let input: Pipe?
    private let output: AsyncStream<[UInt8]>
    private let exits: AsyncStream<Int32>

    init(_ program: String, _ arguments: [String], address: String, takesInput: Bool) throws {
        process = Process()
        input = takesInput ? Pipe() : nil
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
        environment["LC_ALL"] = "C.UTF-8"
        process.environment = environment
        let pipe = Pipe()
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        self.exits = exits
        process.terminationHandler = { ended in
            exit.yield(ended.terminationStatus)
            exit.finish()
        }
        let (output, bytes) = AsyncStream.makeStream(of: [UInt8].self)
        self.output = output
        try process.runUnblocked()
        let reader = pipe.fileHandleForReading
        Thread {
            while let data = try? reader.read(upToCount: 1), !data.isEmpty { bytes.yield(Array(data)) }
            bytes.finish()
        }.start()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    func write(_ text: String) { try? input?.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    struct Ended: Error, CustomStringConvertible {
        let expected: String
        let text: String

        var description: String { "the program ended before it said \"\(expected)\": \(text)" }
    }

    /// The output up to a text.
    func read(until expected: String) async throws -> String {
        var bytes: [UInt8] = []
        let end = Array(expected.utf8)
        for await next in output {
            bytes += next
            if bytes.suffix(end.count) == end[...] { return String(decoding: bytes, as: UTF8.self) }
        }
        throw Ended(expected: expected, text: String(decoding: bytes, as: UTF8.self))
    }

    func readToEnd() async throws -> String {
        var bytes: [UInt8] = []
        for await next in output { bytes += next }
        return String(decoding: bytes, as: UTF8.self)
    }

    func status() async -> Int32 {
        for await status in exits { return status }
        return process.terminationStatus
    }

    func stop() async {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        _ = await status()
    }
}
