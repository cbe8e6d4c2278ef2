internal import WebAuthn

/// A refused response, with its ledger.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every step and its outcome.
    public let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    /// The first failed step with its first reason.
    public var description: String {
        guard let failure = ledger.firstFailure, let reason = failure.outcome.reasons.first else {
            return "the response could not be verified completely"
        }
        return "\(failure.step.rawValue) \(reason.label.rawValue): \(reason.explanation) (\(failure.step.clause))"
    }
}
