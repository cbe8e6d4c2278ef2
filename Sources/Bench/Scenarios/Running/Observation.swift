internal import Biometrics
internal import CTAP
internal import Causes
internal import PlatformErrors
internal import VirtualAuthenticator
internal import WebAuthnClient

/// Everything seen during one step: its result, and what the relying party and the device recorded.
struct Observation: Sendable {
    /// What the step returned, or why it could not be played to its end.
    let result: Result<StepResult, PlaybackError>
    /// What was asked for.
    let operation: PlatformOperation?
    /// What the relying party was asked and answered.
    let exchanges: [SiteExchange]
    /// What the device recorded.
    let device: DeviceRecord

    init(
        _ result: Result<StepResult, PlaybackError>, operation: PlatformOperation? = nil,
        exchanges: [SiteExchange] = [],
        device: DeviceRecord = DeviceRecord()
    ) {
        self.result = result
        self.operation = operation
        self.exchanges = exchanges
        self.device = device
    }

    /// What the step returned; empty when it was not played to its end.
    var step: StepResult { (try? result.get()) ?? StepResult() }

    /// What kept the step from being played to its end; nil when it was.
    var playbackError: PlaybackError? { if case .failure(let error) = result { error } else { nil } }

    /// Whether neither the device nor the client nor the relying party refused.
    var succeeded: Bool { playbackError == nil && !step.isRefused && exchanges.allSatisfy(\.isSuccess) }

    /// The device's last refusal.
    var refusal: Refusal? {
        device.events.lazy.reversed().compactMap { event in
            if case .answer(_, _, let refusal?) = event.kind { refusal } else { nil }
        }.first
    }

    /// The CTAP status of the device's last refusal.
    var status: CTAPStatus? { refusal?.status ?? device.answers?.last { $0.status != .ok }?.status }

    /// The cause of a failure; nil on success.
    var cause: Cause? {
        succeeded ? nil : step.cause ?? step.clientError?.cause(after: refusal) ?? refusal?.cause
    }

    /// The reason for a failure, as people read it; nil on success.
    var reason: String? { step.explanation ?? cause?.rawValue }

    /// The platform errors of each interface an app has; the page's and CTAP's are observed instead.
    func platformErrors(in vocabulary: PlatformErrorVocabulary?) -> [PlatformError] {
        // A real device does not tell its cause, which the platform's error follows from.
        guard let vocabulary, let cause, device.answers == nil else { return [] }
        return vocabulary.errors(of: cause, during: operation).filter { error in
            guard error.kind == .platform || error.kind == .sdk else { return false }
            return operation.map { error.isHeard(during: $0) } ?? true
        }
    }

    /// The errors a page and an app get.
    func told(in vocabulary: PlatformErrorVocabulary?) -> [String] {
        guard cause != nil else { return [] }
        let page = step.clientError.map { ["DOMException \($0.domException.rawValue)"] } ?? []
        return page + platformErrors(in: vocabulary).map(\.text)
    }

    /// How many samples and passcodes the user was asked for.
    var prompts: Int {
        device.events.count { event in
            if case .gate(let gate) = event.kind, case .present(_) = gate.input { true } else { false }
        }
    }

    /// How many touches the user was asked for.
    var touches: Int {
        device.events.count { if case .presenceAsked = $0.kind { true } else { false } }
    }
}
