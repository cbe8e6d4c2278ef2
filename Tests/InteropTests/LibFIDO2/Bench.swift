import CFIDO2
import Devices
import Testing
import VirtualAuthenticator

/// What libfido2's tests drive: a device on a clock that stands, and libfido2 at the other end.
struct LibFIDO2Bench: Sendable {
    let device: SimulatedDevice
    let person: ControlledPerson
    let clock: SimulatedClock
    /// Everything that happens in the device, as it happens.
    let events: AsyncStream<AuthenticatorEvent>
    let key: LibFIDO2Device

    /// Opens a new device with libfido2 for as long as `use` runs.
    static func with(
        _ profile: String, habit: ControlledPerson.Habit = .auto,
        _ use: (LibFIDO2Bench) async throws -> Void
    ) async throws {
        let clock = SimulatedClock()
        let person = ControlledPerson(habit: habit, waitUntil: ServedDevice.untilCancelled)
        let (events, feed) = AsyncStream.makeStream(of: AuthenticatorEvent.self)
        let device = SimulatedDevice(
            profile: try Profiles.named(profile), time: clock, random: SystemRandomSource(), person: person,
            log: EventLog { feed.yield($0) })
        try await LibFIDO2Device.with(device.authenticator) { key in
            try await use(LibFIDO2Bench(device: device, person: person, clock: clock, events: events, key: key))
        }
    }

    /// Returns once the device has begun to ask for a touch.
    func untilAskedForTouch() async {
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
