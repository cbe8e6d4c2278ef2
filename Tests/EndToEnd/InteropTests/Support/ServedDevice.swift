import CTAP
import CTAPHID
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Transports
import VirtualAuthenticator

/// The profiles that come with the program.
enum Profiles {
    static let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    static func named(_ name: String) throws -> DeviceProfile { try library.profile(name) }

    /// The files of the devices that answer CTAP2; a key of U2F alone has no getInfo.
    static func filesWithCTAP2() throws -> [String] {
        try library.files().filter { try ProfileLibrary.read($0).authenticator.answersCTAP2 }
    }
}

/// A simulated device over UDP, on a clock that only a test advances.
struct ServedDevice: Sendable {
    let device: SimulatedDevice
    let person: ControlledUser
    let clock: SimulatedClock
    let port: Int

    /// Serves a new device on a free port for as long as `use` runs.
    ///
    /// - Parameter withQuirks: Whether the device has its profile's quirks.
    static func with(
        _ profile: String, habit: ControlledUser.Habit = .auto, withQuirks: Bool = false,
        _ use: (ServedDevice) async throws -> Void
    ) async throws {
        let clock = SimulatedClock()
        // An automatic user who stays away advances the clock to the deadline; an asking user has no deadline.
        let person = ControlledUser(habit: habit) { deadline in
            switch habit {
            case .auto: clock.advance(to: deadline)
            case .ask: await waitUntilCancelled(deadline)
            }
        }
        let device = try SimulatedDevice(
            profile: try Profiles.named(profile), time: clock, random: SystemRandomSource(), user: person)
        if !withQuirks { await device.clearFaults() }
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(
            device: withQuirks ? device.ctap : device.authenticator, u2f: device.u2f.map { $0.answerU2F },
            configuration: configuration, onWink: device.wink, faults: device.transportFaults)
        do {
            try await use(ServedDevice(device: device, person: person, clock: clock, port: endpoint.port))
        } catch {
            await endpoint.close()
            throw error
        }
        await endpoint.close()
    }

    /// On a stopped clock no deadline passes.
    @Sendable static func waitUntilCancelled(_ deadline: Duration) async {
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }
}
