/// All shipped scenarios in one process.
enum ScenarioBenchmark {
    /// In milliseconds; the limit was set when 39 runs were shipped: 0.8 s for all of them.
    private static let limitPerRun = 800.0 / 39

    static func run(executable: String, rounds: Int) async throws -> [BenchmarkRow] {
        var times: [Double] = []
        var runs = 0
        for _ in 0..<rounds {
            times.append(
                try await Measurement.time {
                    let output = try ChildProcess(executable, ["scenario", "run"], keepsOutput: true).wait()
                    guard let count = output.matches(of: /([0-9]+) passed/).last.flatMap({ Int($0.1) }), count > 0
                    else {
                        throw BenchmarkFailure(description: "no scenario passed")
                    }
                    runs = count
                })
        }
        let spread = Spread(times)
        return [
            BenchmarkRow("all shipped scenarios, \(runs) runs", spread.median / 1_000_000, "s", spread: spread),
            BenchmarkRow(
                "all shipped scenarios, time per run", spread.median / 1000 / Double(max(1, runs)), "ms",
                limit: .atMost(limitPerRun)),
        ]
    }
}
