internal import Biometrics
internal import CTAP
internal import DeviceHost
internal import DeviceProfiles
internal import SimulatedDevice
internal import VirtualAuthenticator

/// A device of the server's, running.
final class ManagedDevice: Sendable {
    let host: DeviceHost
    let habit: ControlledPerson.Habit
    /// Where its events come from in the journal.
    let source: EventJournal.Source
    /// What the person's samples follow from, where they follow a model.
    let samplesSeed: UInt64?
    /// Where its clients take their chance from.
    let random: any RandomSource
    private let run: Task<Void, Never>

    init(_ host: DeviceHost, _ order: DeviceOrder, source: EventJournal.Source) {
        self.host = host
        habit = order.habit
        self.source = source
        samplesSeed = order.nature?.seed
        // Not the device's own numbers, which a client's would move on.
        random = order.seed.map { SeededRandomSource(seed: ~$0) } ?? SystemRandomSource()
        run = Task { await host.run() }
    }

    var name: String { host.name }
    var profile: DeviceProfile { host.device.profile }

    /// Switches the device off: whoever waits for its person hears that the system took the screen.
    func stop() async {
        run.cancel()
        if await host.person.openPrompt != nil { await host.person.tell(.gate(.cancelBySystem)) }
        await run.value
    }
}
