internal import CTAP
internal import Transports

/// The time from the start of a process to its first useful output.
enum StartBenchmark {
    static func run(executable: String, rounds: Int) async throws -> [BenchmarkRow] {
        var answers: [Double] = []
        var versions: [Double] = []
        for _ in 0..<rounds {
            answers.append(try await firstAnswer(executable))
            versions.append(try await Measurement.time { try ChildProcess(executable, ["--version"]).wait() })
        }
        return [
            row("process start to first getInfo answer", answers, limit: 35),
            row("touchstone --version", versions, limit: 15),
        ]
    }

    private static func row(_ name: String, _ times: [Double], limit: Double) -> BenchmarkRow {
        let spread = Spread(times)
        return BenchmarkRow(name, spread.median / 1000, "ms", limit: .atMost(limit), spread: spread)
    }

    private static func firstAnswer(_ executable: String) async throws -> Double {
        let started = ContinuousClock.now
        let (process, port) = try ServedDevice.start("security-key-pin", executable)
        defer { process.stop() }
        let device = try await UDPDevice.connect(to: "127.0.0.1", port: port)
        return try await closing(device.close) {
            _ = try await AuthenticatorClient(device).getInfo()
            return (ContinuousClock.now - started) / .microseconds(1)
        }
    }
}
