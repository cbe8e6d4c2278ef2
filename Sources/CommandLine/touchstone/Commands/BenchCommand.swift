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
        try output.write(report) { lines(report) }
    }

    private func lines(_ report: BenchmarkReport) -> [String] {
        var ratios = TextTable("RATIO", "LIMIT", "MEDIAN", "BASELINE", "WHAT")
        for result in report.ratios {
            ratios.add(
                String(format: "%.2f x", result.ratio), result.limit.map { String(format: "%.2f x", $0) } ?? "",
                String(format: "%.1f µs", result.microseconds),
                String(format: "%.1f µs", result.baselineMicroseconds), "\(result.name) / \(result.baseline)")
        }
        var figures = TextTable("FIGURE", "LIMIT", "WHAT")
        for figure in report.figures {
            figures.add(
                String(format: "%.1f \(figure.unit)", figure.value),
                String(format: "%.0f \(figure.unit)", figure.limit), figure.name)
        }
        return ratios.lines + figures.lines
    }
}

extension Benchmarks.Topic: ExpressibleByArgument {}
