internal import ArgumentParser
package import Benchmarks
import Foundation

/// `touchstone bench`: the bench's own speed.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure this bench, as ratios over baselines of the same run.",
        discussion: "Only a release build says much: `make bench` makes one.")

    @Option(help: "How many pairs of subject and baseline each benchmark takes.")
    var rounds = 300

    @Argument(help: "What to measure; without it, everything this machine can.")
    var topics: [Benchmarks.Topic] = []

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(rounds) else { throw ValidationError("--rounds must be 1 to 1000000.") }
    }

    /// Everything this machine can measure.
    private static func possible() -> [Benchmarks.Topic] {
        guard access("/dev/uhid", W_OK) == 0 else {
            Terminal.writeError("USB is not measured: /dev/uhid is not there, or may not be used.")
            return Benchmarks.Topic.usual
        }
        return Benchmarks.Topic.allCases
    }

    func run() async throws {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let report = try await Benchmarks.run(
            rounds: rounds, topics: topics.isEmpty ? Self.possible() : topics, executable: executable)
        if json {
            try Terminal.writeJSON(report)
            return
        }
        var ratios = TextTable("RATIO", "LIMIT", "MEDIAN", "BASELINE", "WHAT")
        for result in report.ratios {
            ratios.add(
                String(format: "%.2f x", result.ratio), result.limit.map { String(format: "%.2f x", $0) } ?? "",
                String(format: "%.1f µs", result.microseconds),
                String(format: "%.1f µs", result.baselineMicroseconds), "\(result.name) / \(result.baseline)")
        }
        ratios.lines.forEach { Terminal.write($0) }
        var figures = TextTable("FIGURE", "LIMIT", "WHAT")
        for figure in report.figures {
            figures.add(
                String(format: "%.1f \(figure.unit)", figure.value),
                String(format: "%.0f \(figure.unit)", figure.limit), figure.name)
        }
        figures.lines.forEach { Terminal.write($0) }
    }
}

extension Benchmarks.Topic: ExpressibleByArgument {}
