internal import CTAP
internal import Transports

/// What the UDP transport costs.
enum UDPBenchmark {
    /// A CTAPHID PING of one report over getInfo in-process.
    static func ping(rounds: Int) async throws -> BenchmarkResult {
        try await withDevice { local, remote in
            let payload = [UInt8](repeating: 5, count: 57)
            let measurement = try await Measurement.pair(rounds: rounds) {
                _ = try await remote.ping(payload)
            } baseline: {
                _ = try await local.client.getInfo()
            }
            return BenchmarkResult("UDP ping, 57 bytes", over: "getInfo in-process", measurement)
        }
    }

    /// getAssertion over UDP over the same in-process.
    static func assertion(rounds: Int) async throws -> BenchmarkResult {
        try await withDevice { local, remote in
            let request = try await local.register()
            let client = AuthenticatorClient(remote)
            let measurement = try await Measurement.pair(rounds: rounds) {
                _ = try await client.getAssertion(request)
            } baseline: {
                _ = try await local.client.getAssertion(request)
            }
            return BenchmarkResult("getAssertion over UDP", over: "getAssertion in-process", measurement)
        }
    }

    private static func withDevice(
        _ body: (BenchmarkDevice, UDPDevice) async throws -> BenchmarkResult
    ) async throws -> BenchmarkResult {
        let local = BenchmarkDevice()
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(device: local.authenticator, configuration: configuration)
        do {
            let remote = try await UDPDevice.connect(to: configuration.address, port: endpoint.port)
            let result = try await body(local, remote)
            await remote.close()
            await endpoint.close()
            return result
        } catch {
            await endpoint.close()
            throw error
        }
    }
}
