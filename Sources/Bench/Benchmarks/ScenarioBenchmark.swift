/// All shipped scenarios in one process.
enum ScenarioBenchmark {
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
            BenchmarkRow("all shipped scenarios", spread.median / 1_000_000, "s", limit: .atMost(0.8), spread: spread),
            BenchmarkRow(
                "a run of a scenario, of which \(runs) are shipped", spread.median / 1000 / Double(max(1, runs)), "ms"),
        ]
    }
}
