internal import Biometrics
internal import CTAP
internal import PlatformErrors
internal import VirtualAuthenticator

/// What of an event is an outcome: its cause, or the hint it was.
struct EventOutcome {
    private enum Row {
        case cause(String)
        case hint(String, BiometricModality?)
    }

    private let row: Row
    private var operation: PlatformOperation?
    /// Whether it happened where no app looks on.
    private var isAtLockScreen = false
    /// What was answered, which the wire shows whatever the table says.
    private var status: CTAPStatus?

    /// The cause; nil for a hint, which ends nothing.
    var cause: String? { if case .cause(let cause) = row { cause } else { nil } }

    init?(_ event: AuthenticatorEvent) {
        switch event.kind {
        case .gate(let gate):
            if case .enterDeviceCredential = gate.input { isAtLockScreen = true }
            switch gate.step {
            case .ended(let outcome): row = .cause(outcome.label)
            case .refused(let refusal): row = .cause(refusal.label)
            case .tryAgain, .stopped: row = .cause("notRecognised")
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
            operation = event.name.hasPrefix("secret.") ? .read : event.name == "app.verify" ? .verify : nil
        default: return nil
        }
    }

    /// Its platform errors, in the order of the table.
    func errors(in vocabulary: PlatformErrorVocabulary) -> [PlatformError] {
        if isAtLockScreen { return [] }
        switch row {
        case .hint(let hint, let modality): return vocabulary.errors(ofHint: hint, modality: modality)
        case .cause(let cause):
            let errors = vocabulary.errors(of: cause, during: operation)
            guard let status, let seen = vocabulary.error(of: status) else { return errors }
            let first = errors.prefix { $0.interface == "dom-exception" }
            return first + [seen] + errors.dropFirst(first.count).filter { $0.interface != seen.interface }
        }
    }
}
