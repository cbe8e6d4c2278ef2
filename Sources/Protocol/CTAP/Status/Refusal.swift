public import CBOR

/// Why an authenticator refused: a label that stays the same across releases, and the clause that demands it.
///
/// Labels read `command.cause`, e.g. `makeCredential.upFalse`. The wire carries only the status; logs, traces and
/// tests carry the reason, because relying parties see nothing but `NotAllowedError`.
public struct RefusalReason: Hashable, Sendable, CustomStringConvertible {
    /// The stable label.
    public let label: String
    /// The clause of the specification, such as `CTAP 2.3 §6.1.2`.
    public let clause: String

    public init(_ label: String, _ clause: String) {
        self.label = label
        self.clause = clause
    }

    public var description: String { "\(label) (\(clause))" }
}

/// A request was refused: the status for the wire, the reason for everybody else.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status the answer carries.
    public let status: CTAPStatus
    /// Why.
    public let reason: RefusalReason
    /// What exactly was found, where that helps; never a secret.
    public let detail: String?

    public init(_ status: CTAPStatus, _ reason: RefusalReason, detail: String? = nil) {
        self.status = status
        self.reason = reason
        self.detail = detail
    }

    public var description: String {
        "\(status) because \(reason)" + (detail.map { ": \($0)" } ?? "")
    }
}

extension Refusal {
    /// Parameters that are not canonical CBOR (CTAP 2.3 §8): 0x12.
    public init(_ error: CBOR.DecodingError) {
        self.init(
            .invalidCBOR, RefusalReason("message.\(error.rule.rawValue)", "CTAP 2.3 §8"), detail: error.description)
    }

    /// Well-formed parameters that are not what the command takes: 0x11, 0x14 or 0x02.
    public init(_ error: CBOR.AccessError) {
        let (status, cause): (CTAPStatus, String) =
            switch error.problem {
            case .wrongType: (.cborUnexpectedType, "unexpectedType")
            case .missing: (.missingParameter, "missingParameter")
            case .outOfRange: (.invalidParameter, "outOfRange")
            }
        self.init(status, RefusalReason("message.\(cause)", "CTAP 2.3 §8"), detail: error.description)
    }
}
