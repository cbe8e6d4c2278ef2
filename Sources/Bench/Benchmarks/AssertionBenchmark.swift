internal import CTAP
internal import Crypto

/// getAssertion in-process over one raw P-256 signature of the same library.
enum AssertionBenchmark {
    static func run(rounds: Int) async throws -> [BenchmarkRow] {
        let device = BenchmarkDevice()
        let stored = try await device.register()
        let sealed = try await device.registerSealed()
        return [
            try await row("getAssertion in-process", device, stored, rounds: rounds),
            try await row("getAssertion in-process, key sealed in the ID", device, sealed, rounds: rounds),
        ]
    }

    private static func row(
        _ name: String, _ device: BenchmarkDevice, _ request: GetAssertionRequest, rounds: Int
    ) async throws -> BenchmarkRow {
        let key = P256.Signing.PrivateKey()
        let message = [UInt8](repeating: 7, count: 69)
        let encoded = request.message
        let measurement = try await Measurement.pair(rounds: rounds) {
            try await device.send(encoded)
        } baseline: {
            _ = try key.signature(for: message)
        }
        return BenchmarkRow(name, over: "raw P-256 signature", measurement, limit: 1.2)
    }
}
