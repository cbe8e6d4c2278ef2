internal import Biometrics
internal import CTAP
internal import Causes
internal import PlatformErrors
internal import VirtualAuthenticator

/// The outcome an event represents: a cause, or a hint about a sample.
struct EventOutcome {
    private enum Row {
        case cause(Cause)
        case hint(String, BiometricModality?)
    }

    private let row: Row
    private var operation: PlatformOperation?
    /// Whether it happened at the lock screen, where no app receives errors.
    private var isAtLockScreen = false
    /// The status that was sent; it replaces the table's CTAP error.
    private var status: CTAPStatus?

    var cause: Cause? { if case .cause(let cause) = row { cause } else { nil } }

    init?(_ event: AuthenticatorEvent) {
        switch event.kind {
        case .gate(let gate):
            if case .enterDeviceCredential = gate.input { isAtLockScreen = true }
            switch gate.step {
            case .ended(let outcome): row = .cause(outcome.cause)
            case .refused(let refusal): row = .cause(refusal.cause)
            case .tryAgain, .paused, .stopped: row = .cause(.notRecognised)
            case .hint(let hint): row = .hint(hint.rawValue, gate.modality)
            default: return nil
            }
        case .answer(let command, let answered, let refusal?):
            row = .cause(refusal.cause)
            status = answered
            switch command {
            case .makeCredential: operation = .create
            case .getAssertion, .getNextAssertion: operation = .get
            default: break
            }
        case .device(let event):
            guard let cause = event.cause else { return nil }
            row = .cause(cause)
            operation = Self.operation(event.kind)
        default: return nil
        }
    }

    /// The app's request; nil for an event that does not answer an app.
    private static func operation(_ kind: DeviceEvent.Kind) -> PlatformOperation? {
        switch kind {
        case .secretRead: .read
        case .secretStore: .store
        case .appVerify: .verify
        default: nil
        }
    }

    /// The platform errors of the outcome, in the order of the table.
    func errors(in vocabulary: PlatformErrorVocabulary) -> [PlatformError] {
        if isAtLockScreen { return [] }
        switch row {
        case .hint(let hint, let modality): return vocabulary.errors(ofHint: hint, modality: modality)
        case .cause(let cause):
            let errors = vocabulary.errors(of: cause, during: operation)
            guard let status, let seen = vocabulary.error(of: status) else { return errors }
            let first = errors.prefix { $0.kind == .web }
            return first + [seen] + errors.dropFirst(first.count).filter { $0.interface != seen.interface }
        }
    }
}
