/// All shipped scenarios in one process.
enum ScenarioBenchmark {
    static func run(executable: String, rounds: Int) async throws -> [BenchmarkRow] {
        var times: [Double] = []
        for _ in 0..<rounds {
            times.append(try await Measurement.time { try ChildProcess(executable, ["scenario", "run"]).wait() })
        }
        let spread = Spread(times)
        return [
            BenchmarkRow("all shipped scenarios", spread.median / 1_000_000, "s", limit: .atMost(0.8), spread: spread)
        ]
    }
}
