internal import CTAP
internal import Transports

/// getInfo and an assertion over each transport over the same in-process.
enum TransportBenchmark {
    /// A CTAPHID PING of one report over UDP, and the two commands.
    static func udp(rounds: Int) async throws -> [BenchmarkResult] {
        let local = BenchmarkDevice()
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(device: local.authenticator, configuration: configuration)
        return try await closing(endpoint.close) {
            let remote = try await UDPDevice.connect(to: configuration.address, port: endpoint.port)
            return try await closing(remote.close) {
                let payload = [UInt8](repeating: 5, count: 57)
                let measurement = try await Measurement.pair(rounds: rounds) {
                    _ = try await remote.ping(payload)
                } baseline: {
                    _ = try await local.client.getInfo()
                }
                return [BenchmarkResult("UDP ping, 57 bytes", over: "getInfo in-process", measurement)]
                    + (try await commands(over: "UDP", local, remote, rounds: rounds))
            }
        }
    }

    /// The two commands through UHID and hidraw, as for a program that uses the virtual key on USB.
    static func usb(rounds: Int) async throws -> [BenchmarkResult] {
        let local = BenchmarkDevice()
        let unique = "touchstone-bench-\(UInt32.random(in: 0 ... .max))"
        let endpoint = try await UHIDEndpoint.open(
            device: local.authenticator,
            identity: UHIDIdentity(
                name: "Touchstone bench", vendorID: 0x1209, productID: 0x0001, unique: unique,
                place: "touchstone/bench"))
        return try await closing(endpoint.close) {
            let remote = try await HIDRawDevice.open(path: try await node(unique))
            return try await closing(remote.close) {
                try await commands(over: "USB", local, remote, rounds: rounds)
            }
        }
    }

    private static func node(_ unique: String) async throws -> String {
        if let node = await HIDRawNode.appearing(unique: unique, within: .seconds(5)) { return node.path }
        throw BenchmarkFailure(description: "no hidraw node appeared for the key")
    }

    private static func commands(
        over transport: String, _ local: BenchmarkDevice, _ remote: any CTAPDevice, rounds: Int
    ) async throws -> [BenchmarkResult] {
        let client = AuthenticatorClient(remote)
        let info = try await Measurement.pair(rounds: rounds) {
            _ = try await client.getInfo()
        } baseline: {
            _ = try await local.client.getInfo()
        }
        let request = try await local.register()
        let assertion = try await Measurement.pair(rounds: rounds) {
            _ = try await client.getAssertion(request)
        } baseline: {
            _ = try await local.client.getAssertion(request)
        }
        return [
            BenchmarkResult("getInfo over \(transport)", over: "getInfo in-process", info),
            BenchmarkResult("getAssertion over \(transport)", over: "getAssertion in-process", assertion),
        ]
    }
}
