internal import CTAP
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

/// Records the events on every side of a run, in one order: events of one instant of the simulated clock have no other.
final class TimelineRecorder: Sendable {
    private struct Step {
        var entries: [TimelineEntry] = []
        /// The prompts so far, by device.
        var prompts: [String: Int] = [:]
    }

    /// The entries by the step that they belong to.
    private let steps = Mutex<[Int?: Step]>([:])
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
        steps.withLock { $0[Turns.lane?.number, default: Step()].entries.append(entry) }
    }

    func note(_ event: AuthenticatorEvent, of device: String) {
        let description = EventDescription(event)
        var detail: String?
        if case .answer(_, _, let refusal?) = event.kind { detail = refusal.detail }
        if event.endsPrompt { detail = "prompt \(nextPrompt(of: device))" }
        add(event.lane, description.text, detail: detail, device: device)
    }

    /// The number of a prompt within its step, for readers who compare it with the expectation `prompts`.
    private func nextPrompt(of device: String) -> Int {
        steps.withLock { steps in
            steps[Turns.lane?.number, default: Step()].prompts[device, default: 0] += 1
            return steps[Turns.lane?.number]?.prompts[device] ?? 1
        }
    }

    @Sendable func note(_ exchange: RelyingPartyExchange) {
        add(.http, exchange.line, detail: exchange.problem?.description)
    }

    /// The entries of the current step since the last call.
    func take() -> [TimelineEntry] {
        steps.withLock { $0.removeValue(forKey: Turns.lane?.number)?.entries ?? [] }
    }
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
