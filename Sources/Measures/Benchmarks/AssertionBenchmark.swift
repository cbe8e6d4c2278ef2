internal import CTAP
internal import Crypto

/// getAssertion in-process over one raw P-256 signature of the same library.
enum AssertionBenchmark: Benchmark {
    static let rows = ["getAssertion in-process", "getAssertion in-process, key sealed in the ID"].map {
        BenchmarkRow($0, over: "raw P-256 signature", limit: 1.5)
    }

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let device = BenchmarkDevice()
        let key = P256.Signing.PrivateKey()
        let signed = [UInt8](repeating: 7, count: 69)
        var measurements: [Measurement] = []
        for request in [try await device.register(), try await device.registerSealed()] {
            let message = request.message
            measurements.append(
                try await .pair(rounds: order.rounds, fastestOf: 5) {
                    try await device.send(message)
                } baseline: {
                    _ = try key.signature(for: signed)
                })
        }
        return measurements
    }
}
