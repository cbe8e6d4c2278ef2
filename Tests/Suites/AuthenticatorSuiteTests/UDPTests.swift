import AuthenticatorSuite
import CTAP
import Conformance
import DeviceProfiles
import KeyBench
import MachineTime
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import Transports
import VirtualAuthenticator
import WebAuthn

/// Runs on a device in front of a socket, as other simulators are.
struct UDPTests {
    private func endpoint(_ profile: String) async throws -> UDPEndpoint {
        let device = try SimulatedDevice(
            profile: try Authenticator.profiles.profile(profile), time: SystemTime(),
            random: SystemRandomSource(), user: ControlledUser(habit: .auto, waitUntil: SystemTime.wait),
            wait: SystemTime.wait)
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        return try await UDPEndpoint.listen(
            device: device.ctap(over: .usb), u2f: device.u2f(over: .usb).map { $0.answerU2F },
            configuration: configuration)
    }

    @Test func credentialsThatAnEarlierRunLeftDoNotAnswerInTheNextRun() async throws {
        let endpoint = try await endpoint("yubikey-5-nfc-5.7")
        let first = try await bench(port: endpoint.port)
        let pin = try await first.ensurePIN()
        let id = "getAssertion.discovered"
        let single = try #require(AuthenticatorSuite.all.cases.first { $0.description.id == id })
        try await first.begin(single.description, CaseRecorder(level: .must))
        // The run is killed within its first case.
        let left = try await first.newCredential(CredentialRequest(discoverable: true))
        await first.close()
        let second = try await bench(port: endpoint.port, pin: pin)
        let result = try #require(try await Authenticator.results(on: second, identifiers: [id])[id])
        #expect(result.verdict == .passed, "\(result.words)")
        try await second.begin(single.description, CaseRecorder(level: .must))
        #expect(second.relyingPartyID != left.relyingPartyID)
        #expect(second.relyingPartyID.utf8.count <= 32)
        await second.close()
        await endpoint.close()
    }

    @Test(arguments: Ring.sample(["security-key-complete", "yubikey-5-nfc-5.7"], 1))
    func noCaseFailsOverUDP(profile: String) async throws {
        let endpoint = try await endpoint(profile)
        let bench = try await bench(port: endpoint.port)
        let results = try await Authenticator.results(on: bench)
        await bench.close()
        await endpoint.close()
        #expect(results.values.filter { $0.verdict == .failed }.map(\.words).sorted() == [])
        #expect(results["hid.ping.7609"]?.verdict == .passed)
        #expect(results["u2f.authenticate.signature"]?.verdict == .passed)
        #expect(results["hid.cancel.waiting"]?.reason == "the user of this device gets no instructions")
        #expect(results.values.filter { $0.verdict == .passed }.count > 1000)
    }

    private func bench(port: Int, pin: String? = nil) async throws -> AuthenticatorBench {
        let finder = DeviceFinder { try Authenticator.profiles.profile($0) }
        let found = try await finder.devices(.udp(host: "127.0.0.1", port: port))
        var settings = AuthenticatorBench.Settings()
        settings.mayChange = true
        settings.pin = pin
        return try await AuthenticatorBench.open(try #require(found.first), settings: settings)
    }
}
