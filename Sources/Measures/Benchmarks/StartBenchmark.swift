internal import CTAP
internal import Machine
internal import Transports

/// The start of a process to its first useful output, over the start of a program that does nothing.
///
/// `--version` ends before the program does anything else, so it is an empty program of this one's size and libraries.
/// It is a row of its own over a small program of the system, so that size and libraries count, too.
enum StartBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("process start to first getInfo answer", over: "touchstone --version", limit: 4.9),
        BenchmarkRow("touchstone --version", over: "the system's `true`", limit: 9.8),
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let rounds = min(order.rounds, 15)
        func version() async throws -> Double {
            try await Measurement.time { try ChildProcess(order.executable, ["--version"]).wait() }
        }
        return [
            try await .rounds(rounds) { (try await firstAnswer(order.executable), try await version()) },
            try await .rounds(rounds) {
                (try await version(), try await Measurement.time { try ChildProcess("/usr/bin/true", []).wait() })
            },
        ]
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
