/// The speed of this project, as ratios to baselines of the same run, because a shared machine's speed varies.
package enum Benchmarks {
    /// Runs benchmarks.
    ///
    /// - Parameters:
    ///   - rounds: The number of pairs of subject and baseline; slow benchmarks measure fewer.
    ///   - seconds: The length of `sign-in-memory`; nil for `rounds` sign-ins.
    ///   - executable: The program that is started where a benchmark needs another process.
    package static func run(
        rounds: Int, seconds: Int? = nil, topics: [Topic] = Topic.usual, executable: String
    ) async throws -> BenchmarkReport {
        let order = BenchmarkOrder(rounds: rounds, seconds: seconds, executable: executable)
        var report = BenchmarkReport()
        for topic in topics {
            let measurements = try await topic.benchmark.measure(order)
            let rows = topic.benchmark.rows
            guard measurements.count == rows.count else {
                throw BenchmarkFailure(description: "\(topic.rawValue) did not measure each of its rows")
            }
            report.results += try zip(rows, measurements).compactMap { row, measurement in
                try measurement.map { try BenchmarkResult(row, $0) }
            }
        }
        return report
    }

    /// Ends the processes and deletes the files of a run that is interrupted.
    package static func removeLeftovers() { Leftovers.removeAll() }

    /// The benchmarks in their order; memory comes first, before the others use it.
    package enum Topic: String, Sendable, CaseIterable {
        case fleet, start, assertion, registration, verification
        case signIn = "sign-in"
        case udp, hybrid, trace, durability
        case storedStart = "stored-start"
        case control, scenarios, usb, gate, phone, deletion
        case signInMemory = "sign-in-memory"
        case credentialCount = "credential-count"

        /// The benchmarks of a run that names none; the virtual USB key needs Linux with UHID, and growth of memory needs
        /// more sign-ins than fit into a run.
        package static let usual = allCases.filter { $0 != .usb && $0 != .signInMemory }

        var benchmark: any Benchmark.Type {
            switch self {
            case .fleet: FleetBenchmark.self
            case .start: StartBenchmark.self
            case .assertion: AssertionBenchmark.self
            case .registration: RegistrationBenchmark.self
            case .verification: VerificationBenchmark.self
            case .signIn: SignInBenchmark.self
            case .udp: UDPBenchmark.self
            case .hybrid: HybridBenchmark.self
            case .trace: TraceBenchmark.self
            case .durability: DurabilityBenchmark.self
            case .storedStart: StoredStartBenchmark.self
            case .control: ControlBenchmark.self
            case .scenarios: ScenarioBenchmark.self
            case .usb: USBBenchmark.self
            case .gate: GateBenchmark.self
            case .phone: PhoneBenchmark.self
            case .deletion: DeletionBenchmark.self
            case .signInMemory: SignInMemoryBenchmark.self
            case .credentialCount: CredentialCountBenchmark.self
            }
        }
    }
}

/// Rows, and the code that measures them.
protocol Benchmark {
    static var rows: [BenchmarkRow] { get }

    /// Measures the rows in their order; nil where the machine lacks a requirement of a row.
    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?]
}

/// The amount of measuring, and the program to measure.
struct BenchmarkOrder: Sendable {
    let rounds: Int
    let seconds: Int?
    let executable: String
}

/// The failure of a subject.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
