/// The speed of this project, as ratios over baselines of the same run, because a shared machine's speed varies.
package enum Benchmarks {
    /// Runs benchmarks.
    ///
    /// - Parameters:
    ///   - rounds: The number of pairs of subject and baseline.
    ///   - seconds: The length of `sign-in-memory`; nil for `rounds` sign-ins.
    ///   - topics: The benchmarks to run.
    ///   - executable: The program that is started where a benchmark needs another process.
    /// - Throws: The error of a subject that fails.
    package static func run(
        rounds: Int, seconds: Int? = nil, topics: [Topic] = Topic.usual, executable: String
    ) async throws -> BenchmarkReport {
        var report = BenchmarkReport()
        for topic in topics {
            report.rows += try await rows(of: topic, rounds: rounds, seconds: seconds, executable: executable)
        }
        return report
    }

    /// Ends the processes and deletes the files of a run that is interrupted.
    package static func removeLeftovers() { Leftovers.removeAll() }

    private static func rows(
        of topic: Topic, rounds: Int, seconds: Int?, executable: String
    ) async throws -> [BenchmarkRow] {
        switch topic {
        case .fleet: try await FleetBenchmark.run()
        case .start: try await StartBenchmark.run(executable: executable, rounds: min(rounds, 15))
        case .assertion: try await AssertionBenchmark.run(rounds: rounds)
        case .registration: try await RegistrationBenchmark.run(rounds: rounds)
        case .verification: try await VerificationBenchmark.run(rounds: rounds)
        case .signIn: try await SignInBenchmark.run(executable: executable, rounds: rounds)
        case .signInMemory:
            try await SignInBenchmark.memory(executable: executable, rounds: rounds, seconds: seconds)
        case .udp: try await UDPBenchmark.run(executable: executable, rounds: rounds)
        case .usb: try await USBBenchmark.run(rounds: rounds)
        case .trace: try await TraceBenchmark.run(rounds: rounds)
        case .durability: try await DurabilityBenchmark.run(rounds: rounds)
        case .storedStart: try await StoredStartBenchmark.run(rounds: min(rounds, 3))
        case .control: try await ControlBenchmark.run(executable: executable, rounds: rounds)
        case .scenarios: try await ScenarioBenchmark.run(executable: executable, rounds: min(rounds, 3))
        case .gate: try await GateBenchmark.run(rounds: min(rounds, 100))
        case .deletion: try await DeletionBenchmark.run(rounds: rounds)
        case .credentialCount: try await CredentialCountBenchmark.run(rounds: rounds)
        }
    }

    /// The benchmarks in their order.
    ///
    /// Memory comes first, before the others use it.
    package enum Topic: String, Sendable, CaseIterable {
        case fleet, start, assertion, registration, verification
        case signIn = "sign-in"
        case udp, trace, durability
        case storedStart = "stored-start"
        case control, scenarios, usb, gate, deletion
        case signInMemory = "sign-in-memory"
        case credentialCount = "credential-count"

        /// The benchmarks of a run without arguments; the virtual USB key needs Linux with UHID, and growth of memory
        /// needs more sign-ins than fit into a run.
        package static let usual = allCases.filter { $0 != .usb && $0 != .signInMemory }
    }
}
