import ArgumentParser
import Benchmarks
import Foundation

/// `touchstone bench`: the bench's own speed.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure this bench, as ratios over baselines of the same run.",
        discussion: "Only a release build says much: `make bench` makes one.")

    @Option(help: "How many pairs of subject and baseline each benchmark takes.")
    var rounds = 300

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(rounds) else { throw ValidationError("--rounds must be 1 to 1000000.") }
    }

    func run() async throws {
        let results = try await Benchmarks.run(rounds: rounds)
        if json {
            try Terminal.writeJSON(results)
            return
        }
        var table = TextTable("RATIO", "MEDIAN", "BASELINE", "WHAT")
        for result in results {
            table.add(
                String(format: "%.1f x", result.ratio), String(format: "%.0f µs", result.microseconds),
                String(format: "%.0f µs", result.baselineMicroseconds), "\(result.name) / \(result.baseline)")
        }
        table.lines.forEach { Terminal.write($0) }
    }
}
