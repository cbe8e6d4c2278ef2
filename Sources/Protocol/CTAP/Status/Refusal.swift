public import CBOR
public import Causes

/// The reason for a refusal: its cause, a label that is stable across releases, and the origin of the requirement.
///
/// A label is `scope.cause`, such as `makeCredential.upFalse`. The wire carries only the status; logs, traces and
/// tests carry the reason, because relying parties see nothing but `NotAllowedError`.
public struct RefusalReason: Hashable, Sendable, CustomStringConvertible {
    /// The cause, the same for every command that meets it.
    public let cause: Cause
    /// The stable label.
    public let label: String
    /// The origin of the demand.
    public let origin: Origin

    /// The origin of the demand for a refusal.
    public enum Origin: Hashable, Sendable {
        /// A clause of the specification, such as `CTAP 2.3 §6.1.2`.
        case clause(String)
        /// A fault that was armed to test the other side.
        case fault
    }

    /// Composes a reason with the label `scope.cause`, or `scope.name` where the label has a name of its own.
    public init(_ scope: String, _ cause: Cause, as name: String? = nil, _ clause: String) {
        self.cause = cause
        label = "\(scope).\(name ?? cause.rawValue)"
        origin = .clause(clause)
    }

    /// A reason whose label is its cause.
    public init(_ cause: Cause, _ clause: String) {
        self.cause = cause
        label = cause.rawValue
        origin = .clause(clause)
    }

    package init(fault cause: Cause) {
        self.cause = cause
        label = "fault.\(cause)"
        origin = .fault
    }

    /// The clause of the specification; "on purpose" (printed in reports) for a fault.
    public var clause: String {
        switch origin {
        case .clause(let clause): clause
        case .fault: "on purpose"
        }
    }

    /// The label and the clause.
    public var description: String { "\(label) (\(clause))" }
}

/// A refused request: the status for the wire, the reason for logs and reports.
public struct Refusal: CausedError, Hashable, Sendable, CustomStringConvertible {
    /// The status the answer carries.
    public let status: CTAPStatus
    /// The reason.
    public let reason: RefusalReason
    /// The detail found, if it helps; never a secret.
    public let detail: String?

    /// The cause of the reason.
    public var cause: Cause { reason.cause }

    /// Refuses a request.
    public init(_ status: CTAPStatus, _ reason: RefusalReason, detail: String? = nil) {
        self.status = status
        self.reason = reason
        self.detail = detail
    }

    /// The status, the reason and the detail.
    public var description: String { "\(status) because \(reason)" + (detail.map { ": \($0)" } ?? "") }
}

extension Refusal {
    /// Parameters that are not canonical CBOR (CTAP 2.3 §8): 0x12.
    public init(_ error: CBOR.DecodingError) {
        self.init(
            .invalidCBOR, RefusalReason("message", Cause(error.rule.rawValue), "CTAP 2.3 §8"), detail: error.description
        )
    }

    /// Well-formed parameters that do not fit the command: 0x11, 0x14 or 0x02.
    public init(_ error: CBOR.AccessError) {
        let (status, cause): (CTAPStatus, Cause) =
            switch error.problem {
            case .wrongType: (.cborUnexpectedType, .unexpectedType)
            case .missing: (.missingParameter, .missingParameter)
            case .outOfRange: (.invalidParameter, .outOfRange)
            }
        self.init(status, RefusalReason("message", cause, "CTAP 2.3 §8"), detail: error.description)
    }
}
