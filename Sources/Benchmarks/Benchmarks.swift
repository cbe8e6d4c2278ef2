/// One line of a benchmark run.
public struct BenchmarkResult: Sendable, Codable {
    /// What was measured.
    public let name: String
    /// What it is compared with, measured in the same run.
    public let baseline: String
    /// Median microseconds of the subject.
    public let microseconds: Double
    /// Median microseconds of the baseline.
    public let baselineMicroseconds: Double
    /// The one over the other.
    public let ratio: Double

    init(_ name: String, over baseline: String, _ measurement: Measurement) {
        self.name = name
        self.baseline = baseline
        microseconds = measurement.subject
        baselineMicroseconds = measurement.baseline
        ratio = measurement.ratio
    }
}

/// The bench's own speed, as ratios over baselines of the same run: times alone mean little on a shared machine.
public enum Benchmarks {
    /// Runs every benchmark.
    ///
    /// - Parameter rounds: how many pairs of subject and baseline each takes.
    /// - Throws: when a subject fails, which a benchmark must not hide.
    public static func run(rounds: Int) async throws -> [BenchmarkResult] {
        [
            try await AssertionBenchmark.run(rounds: rounds),
            try await RegistrationBenchmark.run(rounds: rounds),
            try await UDPBenchmark.ping(rounds: rounds),
            try await UDPBenchmark.assertion(rounds: rounds),
            try await DurabilityBenchmark.assertion(rounds: rounds),
            try await DurabilityBenchmark.reservedAssertions(rounds: rounds),
            try await DurabilityBenchmark.loading(credentials: 10_000, rounds: min(rounds, 3)),
        ]
    }
}

/// A subject did not do what it was measured at.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
