internal import CTAP
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

/// Records the events on every side of a run, in one order: events of one instant of the simulated clock have no other.
final class TimelineRecorder: Sendable {
    /// The entries by the step that they belong to.
    private let entries = Mutex<[Int?: [TimelineEntry]]>([:])
    private let clock: SimulatedClock
    private let start: Duration

    init(_ clock: SimulatedClock) {
        self.clock = clock
        start = clock.now()
    }

    /// Adds an entry with the current time.
    func add(_ lane: TimelineEntry.Lane, _ text: String, detail: String? = nil, device: String? = nil) {
        let milliseconds = ((clock.now() - start) / .milliseconds(1)).rounded()
        let entry = TimelineEntry(time: milliseconds / 1000, lane: lane, text: text, detail: detail, device: device)
        entries.withLock { $0[Turns.lane?.number, default: []].append(entry) }
    }

    func note(_ event: AuthenticatorEvent, of device: String) {
        let description = EventDescription(event)
        var detail: String?
        if case .answer(_, _, let refusal?) = event.kind { detail = refusal.detail }
        add(event.lane, description.text, detail: detail, device: device)
    }

    @Sendable func note(_ exchange: RelyingPartyExchange) {
        add(.http, exchange.line, detail: exchange.problem?.description)
    }

    /// The entries of the current step since the last call.
    func take() -> [TimelineEntry] { entries.withLock { $0.removeValue(forKey: Turns.lane?.number) ?? [] } }
}

extension AuthenticatorEvent {
    fileprivate var lane: TimelineEntry.Lane {
        switch kind {
        case .request, .answer, .u2f, .counter, .credentialCreated, .credentialUsed, .vendorPrototype, .faultApplied,
            .powerCycled, .wasReset:
            .ctap
        case .presenceAsked, .presenceAnswered, .pinChecked: .user
        case .gate, .enrolmentSample: .sensor
        case .device: .device
        }
    }
}
