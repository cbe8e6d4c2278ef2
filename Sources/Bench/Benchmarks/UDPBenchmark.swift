internal import CTAP
internal import Foundation
internal import Transports
internal import VirtualAuthenticator

/// Shipped profiles, served by another process over UDP, with the events printed, over a CTAPHID PING of one report by
/// the same client.
enum UDPBenchmark {
    static func run(executable: String, rounds: Int) async throws -> [BenchmarkRow] {
        let pinKey = try await with("security-key-pin", executable) { device in
            let client = AuthenticatorClient(device)
            _ = try await client.makeCredential(BenchmarkDevice.registration(user: [1], at: "example.org"))
            let request = GetAssertionRequest(
                relyingPartyID: "example.org", clientDataHash: BenchmarkDevice.clientDataHash)
            return [
                try await row("getAssertion over UDP, PIN key", device, limit: 4.5, rounds: rounds) {
                    _ = try await client.getAssertion(request)
                },
                try await row("getInfo over UDP, PIN key", device, limit: 3, rounds: rounds) {
                    _ = try await client.getInfo()
                },
            ]
        }
        let fullKey = try await with("security-key-complete", executable) { device in
            let client = AuthenticatorClient(device)
            return [
                try await row("getInfo over UDP, key with everything", device, limit: 5, rounds: rounds) {
                    _ = try await client.getInfo()
                }
            ]
        }
        return pinKey + fullKey
    }

    private static func row(
        _ name: String, _ device: UDPDevice, limit: Double, rounds: Int, _ subject: () async throws -> Void
    ) async throws -> BenchmarkRow {
        let payload = [UInt8](repeating: 5, count: 57)
        let measurement = try await Measurement.pair(rounds: rounds, subject: subject) {
            _ = try await device.ping(payload)
        }
        return BenchmarkRow(name, over: "UDP ping, 57 bytes", measurement, limit: limit)
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
