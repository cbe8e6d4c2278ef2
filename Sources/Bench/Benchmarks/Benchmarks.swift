/// One line of a benchmark run.
package struct BenchmarkResult: Sendable, Codable {
    /// The subject's name.
    package let name: String
    /// The name of the baseline, measured in the same run.
    package let baseline: String
    /// Median microseconds of the subject.
    package let microseconds: Double
    /// Median microseconds of the baseline.
    package let baselineMicroseconds: Double
    /// The subject's time over the baseline's.
    package let ratio: Double
    /// The highest acceptable ratio; nil without a limit.
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

/// The speed of this project, as ratios over baselines of the same run, because a shared machine's speed varies.
package enum Benchmarks {
    /// Runs benchmarks.
    ///
    /// - Parameters:
    ///   - rounds: The number of pairs of subject and baseline.
    ///   - topics: The benchmarks to run.
    ///   - executable: The program whose start is measured.
    /// - Throws: The error of a subject that fails.
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

    /// The benchmarks in their order.
    ///
    /// Memory comes first, before the others use it.
    package enum Topic: String, Sendable, CaseIterable {
        case fleet, start, assertion, registration, verification, udp, durability, usb, gate
        case credentialCount = "credential-count"

        /// The benchmarks every machine supports; the virtual USB key needs Linux with UHID.
        package static let usual = allCases.filter { $0 != .usb }
    }
}

/// The results of a run.
package struct BenchmarkReport: Sendable, Codable {
    /// Times over baselines of the same run.
    package internal(set) var ratios: [BenchmarkResult] = []
    /// Figures without a baseline.
    package internal(set) var figures: [BenchmarkFigure] = []
}

/// A measured figure without a baseline.
package struct BenchmarkFigure: Sendable, Codable {
    /// The figure's name.
    package let name: String
    /// The value in the unit.
    package let value: Double
    /// The unit, such as `MiB` or `ms`.
    package let unit: String
    /// The highest acceptable value.
    package let limit: Double
}

/// The failure of a subject.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
