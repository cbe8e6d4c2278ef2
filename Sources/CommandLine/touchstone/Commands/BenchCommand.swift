internal import ArgumentParser
package import Benchmarks
import Foundation
import Machine
import Tables
import Wording

/// `touchstone bench`.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the speed of this program, as ratios to baselines of the same run.",
        discussion: """
            Use a release build: `make bench` builds and measures one. Absolute times are printed and not judged. Exit \
            status 1 if a ratio's whole interval is beyond its limit, or worse than in the run it is compared with.
            """)

    @Option(help: "Number of pairs of subject and baseline in each benchmark; slow benchmarks take fewer.")
    var rounds = 300

    @Option(help: "Length of sign-in-memory, which must be named, in seconds; default: --rounds sign-ins.")
    var seconds: Int?

    @Option(help: "Compare with an earlier run: a file with the JSON of `touchstone bench --json`.")
    var compare: String?

    @Flag(help: ArgumentHelp("Run the HTTP server that other servers are compared with.", visibility: .hidden))
    var bareServer = false

    @Argument(help: "The benchmarks; default: all that this machine supports.")
    var topics: [Benchmarks.Topic] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (Interval.fewest...100_000_000).contains(rounds) else {
            throw ValidationError(
                "--rounds must be \(Interval.fewest) to 100000000; the interval needs at least \(Interval.fewest) rounds."
            )
        }
        if let seconds {
            guard (1...86_400).contains(seconds) else { throw ValidationError("--seconds must be 1 to 86400.") }
            guard topics.contains(.signInMemory) else {
                throw ValidationError(
                    "--seconds needs the benchmark \(Benchmarks.Topic.signInMemory.rawValue); name it, too.")
            }
        }
        if let topic = topics.first(where: { topic in topics.count { $0 == topic } > 1 }) {
            throw ValidationError("\(topic.rawValue) is named twice; name each benchmark once.")
        }
    }

    private static func possible() -> [Benchmarks.Topic] {
        guard access("/dev/uhid", W_OK) == 0 else {
            Terminal.writeError("USB is not measured: /dev/uhid is missing or not writable.")
            return Benchmarks.Topic.usual
        }
        return Benchmarks.Topic.allCases
    }

    func run() async throws {
        guard !bareServer else { return try await Self.serve() }
        // A wrong file is refused before a long run.
        let comparison = try compare.map { BenchmarkComparison(with: try Self.report(in: $0)) }
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let listener = Interruption.onSignal(Benchmarks.removeLeftovers)
        defer { listener.end() }
        let report = try await Benchmarks.run(
            rounds: rounds, seconds: seconds, topics: topics.isEmpty ? Self.possible() : topics, executable: executable)
        try output.write(report) { BenchDescription(comparison: comparison).lines(report) }
        let worse = report.results.count { comparison?.change(of: $0)?.isWorse == true }
        let problems = [
            report.missed.isEmpty ? nil : "\(Wording.counted(report.missed.count, "row")) beyond the limit",
            worse == 0 ? nil : "\(Wording.counted(worse, "row")) worse than in the earlier run",
        ].compactMap(\.self)
        guard problems.isEmpty else { throw CommandError(problems.joined(separator: ", "), .checkFailed) }
    }

    /// Runs the bare server until it is interrupted.
    private static func serve() async throws {
        Interruption.listen()
        let server = try await BareServer.start(logger: TerminalLog.logger("touchstone.bench"))
        Terminal.writeError("listening on http://127.0.0.1:\(server.port)")
        await Interruption.whileUninterrupted { await Interruption.waitUntilCancelled() }
        await server.stop()
    }

    private static func report(in path: String) throws -> BenchmarkReport {
        guard let bytes = BoundedFile.read(path, limit: 1 << 20) else {
            throw CommandError("\(path) cannot be read", .badInput)
        }
        do {
            return try BenchmarkReport(json: bytes)
        } catch {
            throw CommandError("\(path) is not the output of `touchstone bench --json`", .badInput)
        }
    }
}

extension Benchmarks.Topic: ExpressibleByArgument {}
