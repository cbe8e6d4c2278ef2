internal import Biometrics
internal import CTAP
internal import DeviceHost
internal import DeviceProfiles
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthnClient

/// A running device of the server.
final class ManagedDevice: Sendable {
    let host: DeviceHost
    let habit: ControlledUser.Habit
    let source: EventJournal.Source
    /// The ceremonies of this server's devices.
    let ceremonies: CeremonyJournal
    /// The random source of its clients.
    let random: any RandomSource
    /// The page on the device that makes modal and conditional requests.
    let page: CredentialPage
    let browserRequests = BrowserRequests()
    let app: AppSlot
    let acts = ActJournal()
    let ignored: IgnoredActs
    private let run: Task<Void, Never>

    init(
        _ host: DeviceHost, _ order: DeviceStartRequest, source: EventJournal.Source, ceremonies: CeremonyJournal,
        ignored: IgnoredActs, watch: AppWatch
    ) {
        self.host = host
        habit = order.habit
        self.source = source
        self.ceremonies = ceremonies
        self.ignored = ignored
        // A source of its own: a client that drew from the device's would change the device's numbers.
        random = order.seed.map { SeededRandomSource(seed: ~$0) } ?? SystemRandomSource()
        let client = host.device.client(over: host.ctap, pins: PINScript(), random: random)
        page = CredentialPage(client: client, rules: host.device.profile.pageRules)
        app = AppSlot(host, client: client, watch: watch, random: random)
        run = Task { await host.run() }
    }

    var name: String { host.name }
    var profile: DeviceProfile { host.device.profile }

    /// Switches the device off; an open prompt ends with a cancellation by the system.
    func stop() async {
        run.cancel()
        browserRequests.close()
        if await host.person.openPrompt != nil { await host.person.tell(.gate(.cancelBySystem)) }
        await run.value
    }
}
