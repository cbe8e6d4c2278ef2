/// One line of a benchmark run.
package struct BenchmarkResult: Sendable, Codable {
    /// What was measured.
    package let name: String
    /// What it is compared with, measured in the same run.
    package let baseline: String
    /// Median microseconds of the subject.
    package let microseconds: Double
    /// Median microseconds of the baseline.
    package let baselineMicroseconds: Double
    /// The one over the other.
    package let ratio: Double
    /// The ratio this bench is meant to stay below; nil where none is set.
    package let limit: Double?

    init(_ name: String, over baseline: String, _ measurement: Measurement, limit: Double? = nil) {
        self.limit = limit
        self.name = name
        self.baseline = baseline
        microseconds = measurement.subject
        baselineMicroseconds = measurement.baseline
        ratio = measurement.ratio
    }
}

/// The bench's own speed, as ratios over baselines of the same run: times alone mean little on a shared machine.
package enum Benchmarks {
    /// Runs every benchmark.
    ///
    /// - Parameters:
    ///   - rounds: how many pairs of subject and baseline each takes.
    ///   - topics: what to measure.
    ///   - executable: the program whose start is measured.
    /// - Throws: when a subject fails, which a benchmark must not hide.
    package static func run(
        rounds: Int, topics: [Topic] = Topic.usual, executable: String
    ) async throws -> BenchmarkReport {
        var report = BenchmarkReport()
        for topic in topics {
            switch topic {
            case .fleet: report.figures.append(try FleetBenchmark.run())
            case .start: report.figures.append(try await StartBenchmark.run(executable: executable, rounds: 15))
            case .assertion: report.ratios.append(try await AssertionBenchmark.run(rounds: rounds))
            case .registration: report.ratios += try await RegistrationBenchmark.run(rounds: rounds)
            case .verification: report.ratios.append(try await VerificationBenchmark.run(rounds: rounds))
            case .udp: report.ratios += try await TransportBenchmark.udp(rounds: rounds)
            case .usb: report.ratios += try await TransportBenchmark.usb(rounds: rounds)
            case .durability:
                report.ratios.append(try await DurabilityBenchmark.assertion(rounds: rounds))
                report.ratios.append(try await DurabilityBenchmark.reservedAssertions(rounds: rounds))
                report.ratios.append(
                    try await DurabilityBenchmark.loading(credentials: 10_000, rounds: min(rounds, 3)))
            case .gate:
                let attempt = try await GateBenchmark.attempt(rounds: min(rounds, 100))
                report.ratios.append(attempt)
                report.figures += try GateBenchmark.figures(attempt)
            case .credentialCount: report.ratios += try await CredentialCountBenchmark.run(rounds: rounds)
            }
        }
        return report
    }

    /// What can be measured, in the order it is: memory first, before the others leave theirs behind.
    package enum Topic: String, Sendable, CaseIterable {
        case fleet, start, assertion, registration, verification, udp, durability, usb, gate
        case credentialCount = "credential-count"

        /// What every machine can measure; the virtual USB key needs Linux with UHID.
        package static let usual = allCases.filter { $0 != .usb }
    }
}

/// What a run of all benchmarks found.
package struct BenchmarkReport: Sendable, Codable {
    /// Times over baselines of the same run.
    package internal(set) var ratios: [BenchmarkResult] = []
    /// What has no baseline.
    package internal(set) var figures: [BenchmarkFigure] = []
}

/// Something measured that has no baseline.
package struct BenchmarkFigure: Sendable, Codable {
    /// What was measured.
    package let name: String
    /// How much.
    package let value: Double
    /// Of what, such as `MiB` or `ms`.
    package let unit: String
    /// What it is meant to stay below.
    package let limit: Double
}

/// A subject did not do what it was measured at.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
