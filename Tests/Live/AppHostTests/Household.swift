import AppHost
import DeviceProfiles
import Foundation
import ProfileFiles
import Providers
import ReferenceApp
import RelyingPartyServer
import SimulatedDevice
import TestSupport
import VirtualAuthenticator
import WebAuthnClient

/// A phone with the reference app, and the real services of the app on a server of their own.
struct Household {
    let clock = SimulatedClock()
    let services = LoopbackServices()
    let device: SimulatedDevice
    let host: AppHost
    let server: RelyingPartyServer

    init(_ profile: String, _ style: AppSettings.Style, seed: UInt64) async throws {
        let random = SeededRandomSource(seed: seed)
        let clock = clock
        let person = ControlledUser(habit: .auto, nature: ConsentingUser()) { clock.advance(to: $0) }
        let watch = PromptWatch(person)
        let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        device = try SimulatedDevice(
            profile: try profiles.profile(profile), time: clock, random: random, user: watch,
            log: EventLog { watch.hear($0) })
        var configuration = RelyingPartyConfiguration()
        configuration.origins = ["http://localhost"]
        configuration.clock = clock.now
        configuration.pass = { clock.advance(by: $0) }
        configuration.random = random.bytes
        configuration.services = [services]
        server = try await RelyingPartyServer.start(configuration)
        var settings = AppSettings()
        settings.style = style
        settings.sensor = device.sensorName
        host = AppHost(
            settings, on: device, watch: watch,
            client: device.client(over: device.ctap, pins: PINScript(), random: random),
            origin: try Origin(parsing: "http://localhost"),
            services: LoopbackAppServices(port: server.port, userAgent: Optional(device.profile).userAgent),
            time: clock,
            random: random)
    }

    var app: ReferenceApp? { host.app }

    /// Follows the device, and opens the app where it is not on the screen.
    func settle() async throws {
        await host.observe()
        if host.app == nil || device.lifeState.foregroundApp != SecretID.defaultApp { try await host.open() }
    }
}
