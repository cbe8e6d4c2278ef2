import Dispatch
import Foundation
import TestSupport

/// `touchstone device` in a separate process, which a test may kill.
final class DeviceProcess: Sendable {
    /// The output of a device that did not start.
    struct DidNotStart: Error { let complaint: String }

    /// The tests' resources are beside the products of the build.
    private static let executable = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "touchstone")
    private let process: Process
    private let exits: AsyncStream<Int32>
    private let errors: FileHandle

    /// Starts a process, without waiting for the device.
    init(_ arguments: [String], runtime: URL) throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = ["device"] + arguments
        process.currentDirectoryURL = PackageRoot.url
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TOUCHSTONE_RUNTIME": runtime.path]) { $1 }
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ended in
            exit.yield(ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus)
            exit.finish()
        }
        try process.run()
        self.process = process
        self.exits = exits
        errors = pipe.fileHandleForReading
    }

    /// Waits until the device listens.
    ///
    /// - Returns: Its UDP port.
    func port() async throws -> Int {
        let line = await withCheckedContinuation { continuation in
            // A separate thread, because threads of the concurrency pool must not block.
            DispatchQueue.global().async { [errors] in
                var text = Data()
                while !text.contains(UInt8(ascii: "\n")), case let chunk = errors.availableData, !chunk.isEmpty {
                    text += chunk
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
        let match = line.firstMatch(of: /listening on udp:127\.0\.0\.1:(\d+) as/)
        guard let port = match.flatMap({ Int($0.output.1) }) else { throw DidNotStart(complaint: line) }
        return port
    }

    /// Sends this process, and no other, a signal.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Waits for the end: the exit status, or the signal's number, negative.
    @discardableResult
    func end() async -> Int32 {
        for await status in exits { return status }
        return 0
    }
}
