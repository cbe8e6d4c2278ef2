import AuthenticatorSuite
import CTAP
import SimulatedDevice
import TestSupport
import Testing
import Transports
import WebAuthn

/// The cross-check table: a seeded device gives the same bytes over every transport.
struct CrossCheckTests {
    private static func transcript(_ device: any CTAPDevice) async throws -> [String: String] {
        try await ComparedDevices.answers(of: device).transcript
    }

    /// The same from a device behind UDP.
    private static func overUDP(_ device: any CTAPDevice) async throws -> [String: String] {
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(device: device, configuration: configuration)
        do {
            let client = try await UDPDevice.connect(to: configuration.address, port: endpoint.port)
            let result = try await transcript(client)
            await client.close()
            await endpoint.close()
            return result
        } catch {
            await endpoint.close()
            throw error
        }
    }

    @Test(arguments: ["security-key-complete", "security-key-bio", "yubikey-5-nfc-5.7", "solo-1"])
    func theAnswersAreTheSameInProcessAndOverUDP(profile: String) async throws {
        let direct = try await Self.transcript(ComparedDevices.device(profile).ctap(over: .usb))
        let served = try await Self.overUDP(ComparedDevices.device(profile).ctap(over: .usb))
        for (id, bytes) in direct { #expect(served[id] == bytes, "\(id)") }
        #expect(direct.count == served.count)
        // Another seed gives other keys and signatures: equal bytes mean something.
        #expect(try await Self.transcript(ComparedDevices.device(profile, seed: 2).ctap(over: .usb)) != direct)
    }
}
