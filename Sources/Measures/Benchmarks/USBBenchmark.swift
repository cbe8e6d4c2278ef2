internal import CTAP
internal import Machine
internal import Transports

/// getInfo and an assertion through UHID and hidraw, as for a program that uses the virtual key on USB, over the same
/// in-process.
enum USBBenchmark: Benchmark {
    static let rows = ["getInfo", "getAssertion"].map { BenchmarkRow("\($0) over USB", over: "\($0) in-process") }

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let local = BenchmarkDevice()
        let unique = "touchstone-bench-\(UInt32.random(in: 0 ... .max))"
        let endpoint = try UHIDEndpoint.open(
            device: local.authenticator,
            identity: UHIDIdentity(
                name: "Touchstone bench", vendorID: 0x1209, productID: 0x0001, unique: unique,
                place: "touchstone/bench"))
        return try await closing(endpoint.close) {
            let remote = try await HIDRawDevice.open(path: try await node(unique))
            return try await closing(remote.close) {
                try await measure(local, AuthenticatorClient(remote), rounds: order.rounds)
            }
        }
    }

    private static func node(_ unique: String) async throws -> String {
        if let node = await HIDRawNode.appearing(unique: unique, within: .seconds(5)) { return node.path }
        throw BenchmarkFailure(description: "no hidraw node appeared for the key")
    }

    private static func measure(
        _ local: BenchmarkDevice, _ remote: AuthenticatorClient, rounds: Int
    ) async throws -> [Measurement?] {
        let info = try await Measurement.pair(rounds: rounds) {
            _ = try await remote.getInfo()
        } baseline: {
            _ = try await local.client.getInfo()
        }
        let request = try await local.register()
        let assertion = try await Measurement.pair(rounds: rounds) {
            _ = try await remote.getAssertion(request)
        } baseline: {
            _ = try await local.client.getAssertion(request)
        }
        return [info, assertion]
    }
}
