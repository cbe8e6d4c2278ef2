internal import AppHost
internal import DeviceHost
internal import DeviceProfiles
internal import LoopbackHTTP
internal import ReferenceApp
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The place of the reference app on a device.
final class AppSlot: Sendable {
    private let host: DeviceHost
    private let client: WebAuthnClient
    private let watch: AppWatch
    private let random: any RandomSource
    private let installed = Mutex<AppHost?>(nil)

    init(_ host: DeviceHost, client: WebAuthnClient, watch: AppWatch, random: any RandomSource) {
        (self.host, self.client, self.watch, self.random) = (host, client, watch, random)
    }

    var sensor: SensorName { host.device.sensorName }

    var isInstalled: Bool { installed.withLock { $0 != nil } }

    /// Installs the app, or replaces it; its items in secure storage stay, as after an update.
    func install(_ settings: AppSettings, port: Int) throws {
        guard host.device.hasScreen, let watch = watch.watch else { throw APIError.appNeedsScreen }
        let profile: DeviceProfile? = host.device.profile
        let app = AppHost(
            settings, on: host.device, watch: watch, client: client,
            origin: try Origin(parsing: "http://localhost:\(port)"),
            services: LoopbackAppServices(port: port, userAgent: profile.userAgent), time: host.clock, random: random)
        installed.withLock { $0 = app }
    }

    func remove() { installed.withLock { $0 = nil } }

    func app() throws(APIError) -> AppHost {
        guard let app = installed.withLock({ $0 }) else { throw .appNotInstalled }
        return app
    }

    /// Tells the app of the device's state: whether it was killed, left the screen or returned to it.
    func observe() async { await installed.withLock { $0 }?.observe() }
}

extension APIError {
    fileprivate static let appNeedsScreen = APIError(
        409, "app.noScreen", "A security key has no screen for an app; install it on a phone or a computer.")

    fileprivate static let appNotInstalled = APIError(
        409, "app.notInstalled", "The reference app is not on this device; install it with PUT …/app.")
}
