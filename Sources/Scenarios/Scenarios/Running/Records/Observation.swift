internal import AppHost
internal import Biometrics
internal import CTAP
internal import Causes
internal import PlatformErrors
internal import Providers
internal import RelyingPartyServer
internal import VirtualAuthenticator
internal import WebAuthnClient

/// Everything seen during one step: its result, and the records of the relying party and the device.
struct Observation: Sendable {
    let result: Result<StepResult, PlaybackError>
    let operation: PlatformOperation?
    let exchanges: [RelyingPartyExchange]
    let device: DeviceRecord
    var app = AppRecord()
    /// The time the step took on the simulated clock.
    let elapsed: Duration
    /// The tables of the relying party's database; empty unless the step checks them.
    var tables: [TableCount] = []
    /// The events at the services beside the relying party; empty unless the step checks them.
    var services = ServiceRecord()

    init(
        _ result: Result<StepResult, PlaybackError>, operation: PlatformOperation? = nil,
        exchanges: [RelyingPartyExchange] = [],
        device: DeviceRecord = DeviceRecord(), elapsed: Duration = .zero
    ) {
        (self.result, self.operation, self.exchanges, self.device) = (result, operation, exchanges, device)
        self.elapsed = elapsed
    }

    /// The step's result; empty if it ended early.
    var step: StepResult { (try? result.get()) ?? StepResult() }

    var playbackError: PlaybackError? { if case .failure(let error) = result { error } else { nil } }

    /// Whether neither the device nor the client nor the relying party refused.
    var succeeded: Bool { playbackError == nil && !step.isRefused && exchanges.allSatisfy(\.isSuccess) }

    var outcome: Expectation.Outcome { succeeded ? .ok : .refused }

    var refusal: Refusal? {
        device.events.lazy.reversed().compactMap { event in
            if case .answer(_, _, let refusal?) = event.kind { refusal } else { nil }
        }.first
    }

    var status: CTAPStatus? { refusal?.status ?? device.answers?.last { $0.status != .ok }?.status }

    /// The cause of a failure; nil on success, and where the relying party alone refused.
    var cause: Cause? {
        guard !succeeded else { return nil }
        // A client may ask the device for excluded credentials first, and the answer is usually "none".
        let last = step.isRefused || playbackError != nil ? refusal?.cause : nil
        return step.cause ?? step.clientError?.cause(after: refusal?.cause) ?? last
    }

    /// The last error that the platform reported to the reference app, whose steps succeed all the same.
    private var appTrouble: AppRecord.Trouble? { succeeded ? app.troubles.last : nil }

    /// The cause of a failure, or of an error that the reference app got.
    var reportedCause: Cause? { cause ?? appTrouble?.cause(after: refusal?.cause) }

    /// The cause of a failure and its explanation; nil on success.
    var reason: String? { cause.map { cause in step.explanation.map { "\(cause): \($0)" } ?? cause.rawValue } }

    /// The platform errors of each interface an app has; the page's and CTAP's are observed instead.
    func platformErrors(in vocabulary: PlatformErrorVocabulary?) -> [PlatformError] {
        // A real device does not report its cause, and the platform's error depends on it.
        // The interfaces are those of the device's apps, and not of a page on another computer.
        guard let vocabulary, let cause = reportedCause, device.answers == nil, !step.isScanned else { return [] }
        guard let operation = operation ?? appTrouble?.operation else {
            return vocabulary.errors(of: cause).filter { $0.kind == .platform || $0.kind == .sdk }
        }
        return vocabulary.errors(of: cause, reachingCallerDuring: operation)
    }

    /// The exception that a page gets; nil for an app, whose platform has errors of its own.
    var pageException: DOMExceptionName? { step.isFromApp ? nil : step.clientError?.domException }

    func told(in vocabulary: PlatformErrorVocabulary?) -> [String] {
        guard reportedCause != nil else { return [] }
        let page = pageException.map { ["DOMException \($0.rawValue)"] } ?? []
        return page + platformErrors(in: vocabulary).map(\.text)
    }

    var prompts: Int { device.events.count(where: \.endsPrompt) }

    var touches: Int { device.events.count { if case .presenceAsked = $0.kind { true } else { false } } }
}

extension AuthenticatorEvent {
    /// Whether it is the outcome of a question to the user at the gate: `prompts` counts it, the timeline numbers it.
    var endsPrompt: Bool {
        if case .gate(let gate) = kind, case .present = gate.input { true } else { false }
    }
}
