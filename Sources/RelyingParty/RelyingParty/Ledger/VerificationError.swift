internal import WebAuthn

/// A response that was not accepted, with the ledger that says why.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every step and its outcome.
    public let ledger: Ledger

    /// An error for a ledger that did not accept.
    package init(ledger: Ledger) {
        self.ledger = ledger
    }

    public var description: String {
        guard let failure = ledger.firstFailure, let reason = failure.outcome.reasons.first else {
            return "the response could not be judged in full"
        }
        return "\(failure.step.rawValue) \(reason.label.rawValue): \(reason.explanation) (\(failure.step.clause))"
    }
}
