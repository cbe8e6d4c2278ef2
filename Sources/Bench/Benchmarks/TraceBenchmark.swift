internal import CTAP
internal import DeviceProfiles
internal import Machine
internal import SimulatedDevice
internal import Trace
internal import VirtualAuthenticator

/// The time that recording a trace adds to a request of a shipped profile.
enum TraceBenchmark {
    static func run(rounds: Int) async throws -> [BenchmarkRow] {
        let profile = try ProfileLibrary.standard().profile("security-key-pin")
        let device = try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: SystemRandomSource(), person: ConsentingPerson())
        let plain = AuthenticatorClient(device.ctap)
        _ = try await plain.makeCredential(BenchmarkDevice.registration(user: [1], at: "example.org"))
        let request = GetAssertionRequest(
            relyingPartyID: "example.org", clientDataHash: BenchmarkDevice.clientDataHash)
        return try await BenchmarkFolder.with { folder in
            let file = try TraceFile(creating: folder.file("trace.jsonl"))
            // As the commands record it.
            let queue = OutputQueue()
            defer { queue.finish() }
            let recorder = TraceRecorder(queue: queue, onRecord: file.write)
            let trace = recorder.device("key", now: SimulatedClock().now)
            let traced = AuthenticatorClient(trace.traced(device.ctap))
            return [
                row(
                    "getInfo",
                    try await Measurement.pair(rounds: rounds) {
                        _ = try await traced.getInfo()
                    } baseline: {
                        _ = try await plain.getInfo()
                    }),
                row(
                    "getAssertion",
                    try await Measurement.pair(rounds: rounds) {
                        _ = try await traced.getAssertion(request)
                    } baseline: {
                        _ = try await plain.getAssertion(request)
                    }),
            ]
        }
    }

    private static func row(_ command: String, _ measurement: Measurement) -> BenchmarkRow {
        BenchmarkRow(
            "\(command), time added by a trace", measurement.subject.median - measurement.baseline.median, "µs",
            limit: .atMost(60), spread: measurement.subject, baselineSpread: measurement.baseline)
    }
}
