import CFIDO2
import SecurityKeys
import SimulatedDevice
import Testing
import VirtualAuthenticator

/// A device on a clock that only a test advances, and libfido2 as its client.
struct LibFIDO2Bench: Sendable {
    let device: SimulatedDevice
    let person: ControlledUser
    let clock: SimulatedClock
    /// The device's events as they happen.
    let events: AsyncStream<AuthenticatorEvent>
    let key: LibFIDO2Device
    let transport: InProcessReportTransport

    /// Opens a new device with libfido2 for as long as `use` runs.
    static func with(
        _ profile: String, habit: ControlledUser.Habit = .auto,
        _ use: (LibFIDO2Bench) async throws -> Void
    ) async throws {
        let clock = SimulatedClock()
        let person = ControlledUser(habit: habit, waitUntil: ServedDevice.waitUntilCancelled)
        let (events, feed) = AsyncStream.makeStream(of: AuthenticatorEvent.self)
        let device = try SimulatedDevice(
            profile: try Profiles.named(profile), time: clock, random: SystemRandomSource(), user: person,
            log: EventLog { feed.yield($0) })
        let transport = InProcessReportTransport(device.authenticator)
        defer { transport.disconnect() }
        try await LibFIDO2Device.with(.reports(transport)) { key in
            try await use(
                LibFIDO2Bench(
                    device: device, person: person, clock: clock, events: events, key: key, transport: transport))
        }
    }

    /// Unplugs the device and plugs it in again.
    func powerCycle() async { await transport.powerCycle() }

    /// Returns once the device asks for a touch.
    func waitUntilAskedForTouch() async {
        for await event in events {
            if case .presenceAsked = event.kind { return }
        }
    }
}

/// Demands that a call to libfido2 fails with exactly this code.
func expect(
    _ code: Int32, sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> some Any
) async {
    await #expect(throws: LibFIDO2Error(code), sourceLocation: sourceLocation) { _ = try await call() }
}

extension LibFIDO2Device.CredentialRequest {
    /// A registration at example.com.
    init(
        relyingPartyID: String = "example.com", userID: [UInt8] = [1, 2, 3], userName: String = "alice",
        algorithm: Int32 = COSE_ES256,
        clientDataHash: [UInt8] = [UInt8](repeating: 0x11, count: 32), isDiscoverable: Bool = false,
        uv: fido_opt_t = FIDO_OPT_OMIT, excluded: [[UInt8]] = []
    ) {
        self.init(
            relyingPartyID: relyingPartyID, userID: userID, userName: userName, algorithm: algorithm,
            clientDataHash: clientDataHash)
        relyingPartyName = "Example"
        userDisplayName = userName
        self.isDiscoverable = isDiscoverable
        self.uv = uv
        self.excluded = excluded
    }
}

extension LibFIDO2Device.AssertionRequest {
    /// A sign-in at example.com.
    init(relyingPartyID: String = "example.com", allowed: [[UInt8]] = [], uv: fido_opt_t = FIDO_OPT_OMIT) {
        self.init(relyingPartyID: relyingPartyID, clientDataHash: [UInt8](repeating: 0x22, count: 32))
        self.allowed = allowed
        self.uv = uv
    }
}
