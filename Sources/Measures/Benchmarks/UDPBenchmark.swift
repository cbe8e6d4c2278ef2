internal import CTAP
internal import Foundation
internal import Machine
internal import Transports
internal import VirtualAuthenticator

/// Shipped profiles, served by another process over UDP, with the events printed, over a CTAPHID PING of one report by
/// the same client.
enum UDPBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("getAssertion over UDP, PIN key", over: ping, limit: 4.5),
        BenchmarkRow("getInfo over UDP, PIN key", over: ping, limit: 3),
        BenchmarkRow("getInfo over UDP, key with everything", over: ping, limit: 5),
    ]

    private static let ping = "UDP ping, 57 bytes"

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let pinKey = try await with("security-key-pin", order.executable) { device in
            let client = AuthenticatorClient(device)
            _ = try await client.makeCredential(BenchmarkDevice.registration(user: [1], at: "example.org"))
            let request = GetAssertionRequest(
                relyingPartyID: "example.org", clientDataHash: BenchmarkDevice.clientDataHash)
            return [
                try await overPing(device, order.rounds) {
                    _ = try await client.getAssertion(request)
                },
                try await overPing(device, order.rounds) {
                    _ = try await client.getInfo()
                },
            ]
        }
        let fullKey = try await with("security-key-complete", order.executable) { device in
            let client = AuthenticatorClient(device)
            return try await overPing(device, order.rounds) { _ = try await client.getInfo() }
        }
        return pinKey + [fullKey]
    }

    private static func overPing(
        _ device: UDPDevice, _ rounds: Int, _ subject: () async throws -> Void
    ) async throws -> Measurement {
        let payload = [UInt8](repeating: 5, count: 57)
        return try await .pair(rounds: rounds, subject: subject) { _ = try await device.ping(payload) }
    }

    private static func with<Result: Sendable>(
        _ profile: String, _ executable: String, _ use: (UDPDevice) async throws -> Result
    ) async throws -> Result {
        let (process, port) = try ServedDevice.start(profile, executable)
        defer { process.stop() }
        let device = try await UDPDevice.connect(to: "127.0.0.1", port: port)
        return try await closing(device.close) { try await use(device) }
    }
}

/// A device that another process serves.
enum ServedDevice {
    /// Starts a device of a shipped profile, and waits for its UDP port.
    static func start(_ profile: String, _ executable: String) throws -> (ChildProcess, port: Int) {
        let process = try ChildProcess(
            executable, ["device", "start", profile, "--udp", "0", "--name", "bench-\(UUID().uuidString)"])
        do {
            return (process, try process.port(/udp:[0-9.]+:([0-9]+)/))
        } catch {
            process.stop()
            throw error
        }
    }
}
