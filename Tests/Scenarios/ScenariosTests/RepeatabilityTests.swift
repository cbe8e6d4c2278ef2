import Documents
import Foundation
import Scenarios
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import Trace

/// A run is determined by its seed, including every byte of every signature.
struct RepeatabilityTests {
    /// A run's unmasked trace, as lines, and the report of its steps.
    private struct Run: Equatable {
        let trace: [Data]
        let steps: Data
    }

    private static func run(_ file: String, seed: UInt64) async throws -> Run {
        let lines = Lines()
        let recorder = TraceRecorder(keepsSecrets: true) { lines.append($0) }
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles, seed: seed, trace: recorder)
            .run(ScenarioLibrary.runs(of: file)[0])
        #expect(report.passed)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // The real duration of a step differs between two runs.
        let steps = try JSONValue(parsing: Array(try encoder.encode(report.steps))).array ?? []
        let repeatable = steps.map { $0.object?.filter { $0.key != "realSeconds" } }
        return Run(trace: lines.all, steps: try encoder.encode(repeatable))
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[Data]>([])

        func append(_ record: TraceRecord) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let line = (try? encoder.encode(record)) ?? Data()
            lines.withLock { $0.append(line) }
        }

        var all: [Data] { lines.withLock { $0 } }
    }

    @Test(
        "The same seed gives the same bytes, another seed others",
        arguments: Ring.sample(ShippedScenarioTests.files, 10))
    func seedRepeatsRun(file: String) async throws {
        let first = try await Self.run(file, seed: 7)
        #expect(first.steps.count > 100)
        #expect(try await Self.run(file, seed: 7) == first)
        // Without a passkey nothing in a trace is random.
        guard try String(contentsOfFile: file, encoding: .utf8).contains("- register") else { return }
        #expect(first.trace.count > 4)
        #expect(try await Self.run(file, seed: 8).trace != first.trace)
    }
}
