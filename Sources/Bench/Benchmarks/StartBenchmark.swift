internal import CTAP
internal import Foundation
internal import Transports

/// The time from the start of a device's process to its first getInfo answer.
enum StartBenchmark {
    /// The median milliseconds of several starts.
    ///
    /// - Parameters:
    ///   - executable: The program to start.
    ///   - rounds: The number of starts.
    static func run(executable: String, rounds: Int) async throws -> BenchmarkFigure {
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await once(executable)) }
        times.sort()
        return BenchmarkFigure(
            name: "process start to first getInfo answer", value: times[times.count / 2], unit: "ms", limit: 50)
    }

    private static func once(_ executable: String) async throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = [
            "device", "start", "security-key-pin", "--udp", "0", "--name", "bench-\(UUID().uuidString)",
        ]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        let started = ContinuousClock.now
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let port = try port(from: errors.fileHandleForReading)
        let device = try await UDPDevice.connect(to: "127.0.0.1", port: port)
        _ = try await AuthenticatorClient(device).getInfo()
        let time = (ContinuousClock.now - started) / .milliseconds(1)
        await device.close()
        return time
    }

    /// The port that a starting device prints.
    private static func port(from output: FileHandle) throws -> Int {
        var text = ""
        while !text.contains("\n") {
            let data = output.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let match = text.firstMatch(of: /udp:[0-9.]+:([0-9]+)/), let port = Int(match.1) else {
            throw BenchmarkFailure(description: "the device did not start: \(text)")
        }
        return port
    }
}
