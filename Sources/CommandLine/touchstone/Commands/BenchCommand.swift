internal import ArgumentParser
package import Benchmarks
import Foundation
import Tables

/// `touchstone bench`.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the speed of this program, as ratios over baselines of the same run.",
        discussion: "Use a release build: `make bench` builds and measures one.")

    @Option(help: "Number of pairs of subject and baseline in each benchmark.")
    var rounds = 300

    @Argument(help: "The benchmarks; default: all that this machine supports.")
    var topics: [Benchmarks.Topic] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000_000).contains(rounds) else { throw ValidationError("--rounds must be 1 to 1000000.") }
    }

    /// Everything this machine can measure.
    private static func possible() -> [Benchmarks.Topic] {
        guard access("/dev/uhid", W_OK) == 0 else {
            Terminal.writeError("USB is not measured: /dev/uhid is missing or not writable.")
            return Benchmarks.Topic.usual
        }
        return Benchmarks.Topic.allCases
    }

    func run() async throws {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let report = try await Benchmarks.run(
            rounds: rounds, topics: topics.isEmpty ? Self.possible() : topics, executable: executable)
        try output.write(report) { Self.table(of: report.ratios).lines + Self.table(of: report.figures).lines }
    }

    private static func table(of ratios: [BenchmarkResult]) -> TextTable {
        var table = TextTable("RATIO", "LIMIT", "MEDIAN", "BASELINE", "WHAT")
        for result in ratios {
            table.add(
                String(format: "%.2f x", result.ratio), result.limit.map { String(format: "%.2f x", $0) } ?? "",
                String(format: "%.1f µs", result.microseconds),
                String(format: "%.1f µs", result.baselineMicroseconds), "\(result.name) / \(result.baseline)")
        }
        return table
    }

    private static func table(of figures: [BenchmarkFigure]) -> TextTable {
        var table = TextTable("FIGURE", "LIMIT", "WHAT")
        for figure in figures {
            table.add(
                String(format: "%.1f \(figure.unit)", figure.value),
                String(format: "%.0f \(figure.unit)", figure.limit), figure.name)
        }
        return table
    }
}

extension Benchmarks.Topic: ExpressibleByArgument {}
