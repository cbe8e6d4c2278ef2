internal import CTAP
internal import DeviceProfiles
internal import Machine
internal import ProfileFiles
internal import SimulatedDevice
internal import Trace
internal import VirtualAuthenticator

/// Requests of a shipped profile whose trace is recorded, over the same without a trace.
enum TraceBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("getInfo with a trace", over: "getInfo without", limit: 4.7),
        BenchmarkRow("getAssertion with a trace", over: "getAssertion without", limit: 2.8),
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let profile = try ProfileLibrary.standard().profile("security-key-pin")
        let device = try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: SystemRandomSource(), user: ConsentingUser())
        let plain = AuthenticatorClient(device.ctap)
        _ = try await plain.makeCredential(BenchmarkDevice.registration(user: [1], at: "example.org"))
        let request = GetAssertionRequest(relyingPartyID: "example.org", clientDataHash: BenchmarkDevice.clientDataHash)
        return try await BenchmarkFolder.with { folder in
            let file = try TraceFile(creating: folder.file("trace.jsonl"))
            // As the commands record it.
            let queue = OutputQueue()
            defer { queue.finish() }
            let recorder = TraceRecorder(queue: queue, onRecord: file.write)
            let trace = recorder.device("key", now: SimulatedClock().now)
            let traced = AuthenticatorClient(trace.traced(device.ctap))
            return [
                try await Measurement.pair(rounds: order.rounds) {
                    _ = try await traced.getInfo()
                } baseline: {
                    _ = try await plain.getInfo()
                },
                try await Measurement.pair(rounds: order.rounds) {
                    _ = try await traced.getAssertion(request)
                } baseline: {
                    _ = try await plain.getAssertion(request)
                },
            ]
        }
    }
}
