internal import Foundation
internal import Scenarios

/// All shipped scenarios in one process, over as many signatures, verifications and requests as they need.
enum ScenarioBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow(
            "run of a shipped scenario",
            over: "its requests at the bare server, a signature and a verification for each CTAP command", limit: 46)
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        // It warms up, too.
        let json = try ChildProcess(order.executable, ["scenario", "run", "--json"], keepsOutput: true).wait()
        let reports = try JSONDecoder().decode([ScenarioReport].self, from: Data(json.utf8))
        let steps = reports.flatMap(\.steps)
        let commands = steps.reduce(0) { $0 + $1.ctap.count }
        let requests = steps.reduce(0) { $0 + $1.timeline.count { $0.lane == .http } }
        let raw = try RawVerification()
        let width = 4 * ProcessInfo.processInfo.activeProcessorCount
        return try await BareServer.with(order.executable, connections: width) { _, connections in
            var measurement = Measurement()
            for _ in 0..<Interval.fewest {
                let subject = try await Measurement.time {
                    try ChildProcess(order.executable, ["scenario", "run"]).wait()
                }
                let baseline = try await Measurement.time {
                    try await Load.run(connections, .repetitions(requests / width)) { try await $0.exchange() }
                    try await Load.run(connections, .repetitions(commands / width)) { _ in
                        try raw.sign()
                        try raw.run()
                    }
                }
                measurement.add(subject, over: baseline)
            }
            return [measurement.divided(by: reports.count)]
        }
    }
}
