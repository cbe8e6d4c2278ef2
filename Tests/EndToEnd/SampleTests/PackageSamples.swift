import CTAP
import CTAPHID
import CTAPNFC
import ControlAPI
import DeviceProfiles
import NIOCore
import PlatformErrors
import ProfileFiles
import RelyingPartyServer
import SecurityKeys
import SimulatedDevice
import TestSupport
import Testing
import Trace
import Transports
import VirtualAuthenticator

/// The samples of the package's own rooms, in their comments and in docs/.
///
/// Those that need a key or a reader are compiled and not run.
@Suite("Samples of the package")
struct PackageSamples {
    private static func key() -> VirtualAuthenticator {
        let clock = SimulatedClock()
        return VirtualAuthenticator(
            configuration: AuthenticatorConfiguration(),
            environment: Environment(time: clock, random: SeededRandomSource(seed: 1), user: ScriptedUser(clock: clock))
        )
    }

    @Test func controlServer() async throws {
        let control = try await ControlServer.start(ControlConfiguration(token: AccessToken(), profiles: .standard()))
        // … talk to control.baseURL with control.token …
        await control.stop()
    }

    @Test func relyingPartyServer() async throws {
        let server = try await RelyingPartyServer.start()
        // … talk to server.baseURL …
        await server.stop()
    }

    @Test func traces() async throws {
        let folder = try TemporaryFolder("sample")
        let (clock, authenticator, path) = (SimulatedClock(), Self.key(), folder.path("key.jsonl"))
        do {
            let file = try TraceFile(creating: path)
            let recorder = TraceRecorder(onRecord: file.write)
            let trace = recorder.device("key", now: clock.now)
            let device = trace.traced(authenticator)
            #expect(try await device.transceive([0x04]).first == 0)
        }
        let file = try TraceFile(creating: path)  // such as key.jsonl
        let recorder = TraceRecorder(onRecord: file.write)
        let trace = recorder.device("key", now: clock.now)
        let device = trace.traced(authenticator)  // any CTAPDevice; use it in place of the original
        let log = EventLog(onAppend: trace.note)  // a simulated device's events, with the reasons
        #expect(try await device.transceive([0x04]).first == 0)
        withExtendedLifetime(log) {}
    }

    @Test func udpEndpointAndDevice() async throws {
        let device = Self.key()
        // The usual port may be taken by a device outside of the tests.
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(device: device, configuration: configuration)
        print("listening on \(endpoint.port)")
        let task = Task { await endpoint.run() }
        task.cancel()
        await task.value
    }

    @Test func hidServer() {
        func perform(_ action: CTAPHIDServerAction<Int>) {}
        let (report, now) = ([UInt8](repeating: 0, count: 64), Duration.zero)
        var server = CTAPHIDServer<Int>()
        for action in server.receive(report, from: 1, now: now) { perform(action) }
        #expect(server.deadline == nil)
    }

    @Test func hidRunner() throws {
        @Sendable func send(_ reports: [[UInt8]], _ address: SocketAddress) {}
        let (device, report) = (Self.key(), [UInt8](repeating: 0, count: 64))
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        let runner = CTAPHIDServerRunner<SocketAddress>(device: device) { reports, address in send(reports, address) }
        runner.receive(report, from: address)
    }

    // MARK: compiled only

    private func udpServer(_ device: any CTAPDevice) async throws {
        let endpoint = try await UDPEndpoint.listen(device: device)
        print("listening on \(endpoint.port)")
        await endpoint.run()
    }

    private func udpDevice() async throws -> [UInt8] {
        let device = try await UDPDevice.connect(to: "127.0.0.1", port: 8111)
        let answer = try await device.transceive([0x04])
        return answer
    }

    private func card(_ channel: any APDUChannel) async throws -> [UInt8] {
        let client = try await NFCClient.select(over: channel)
        let answer = try await client.transceive([0x04])
        return answer
    }

    private func reader() async throws -> AuthenticatorInfo {
        let key = try await NFCSecurityKey.open()
        let info = try await AuthenticatorClient(key).getInfo()
        return info
    }

    private func hidRaw() async throws -> [UInt8] {
        let key = try await HIDRawDevice.open(path: "/dev/hidraw0")
        let answer = try await key.transceive([0x04])
        return answer
    }

    private func virtualCard(_ device: any CTAPDevice) async throws {
        let endpoint = try await VPCDEndpoint.connect(device: device)
        try await endpoint.run()
    }

    private func virtualUSBKey(_ device: any CTAPDevice, _ identity: UHIDIdentity) async throws {
        let endpoint = try UHIDEndpoint.open(device: device, identity: identity)
        await endpoint.run()
    }

    private func platformErrors(_ event: AuthenticatorEvent, _ device: SimulatedDevice) {
        let event = EventDescription(event, in: device.profile.platformErrors)
        #expect(event.cause == "lockedOut.timed")
        #expect(event.platformErrors?.contains { $0.interface == "biometric-prompt" && $0.code == 7 } == true)
    }
}
