import AuthenticatorSuite
import CTAP
import Conformance
import DeviceProfiles
import KeyBench
import SimulatedDevice
import TestSupport
import Testing
import Transports
import VirtualAuthenticator
import WebAuthn

/// Runs on a device in front of a socket, as other simulators are.
struct UDPTests {
    @Test(arguments: Ring.sample(["security-key-complete", "yubikey-5-nfc-5.7"], 1))
    func noCaseFailsOverUDP(profile: String) async throws {
        let device = try SimulatedDevice(
            profile: try Authenticator.profiles.profile(profile), time: SystemTime(),
            random: SystemRandomSource(), user: ControlledUser(habit: .auto, waitUntil: SystemTime.wait),
            wait: SystemTime.wait)
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(
            device: device.ctap(over: .usb), u2f: device.u2f(over: .usb).map { $0.answerU2F },
            configuration: configuration)
        let results = try await results(port: endpoint.port)
        await endpoint.close()
        #expect(results.values.filter { $0.verdict == .failed }.map(\.words).sorted() == [])
        #expect(results["hid.ping.7609"]?.verdict == .passed)
        #expect(results["u2f.authenticate.signature"]?.verdict == .passed)
        #expect(results["hid.cancel.waiting"]?.reason == "the user of this device gets no instructions")
        #expect(results.values.filter { $0.verdict == .passed }.count > 1000)
    }

    private func results(port: Int) async throws -> [String: CaseResult] {
        let finder = DeviceFinder { try Authenticator.profiles.profile($0) }
        let found = try await finder.devices(.udp(host: "127.0.0.1", port: port))
        var settings = AuthenticatorBench.Settings()
        settings.mayChange = true
        let bench = try await AuthenticatorBench.open(try #require(found.first), settings: settings)
        let results = try await Authenticator.results(on: bench)
        await bench.close()
        return results
    }
}
