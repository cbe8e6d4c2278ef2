public import WebAuthn

/// The steps of one verification with their outcomes, in the specification's order.
public struct Ledger: Hashable, Sendable {
    /// One entry for each step of the ceremony.
    public let entries: [LedgerEntry]

    package init(entries: [LedgerEntry]) { self.entries = entries }

    /// Whether every step was judged and none failed.
    public var isAccepted: Bool { entries.allSatisfy(\.outcome.isAcceptable) }

    /// The first step that failed.
    public var firstFailure: LedgerEntry? { failures.first }

    /// The steps that failed.
    public var failures: [LedgerEntry] {
        entries.filter {
            if case .failed = $0.outcome { true } else { false }
        }
    }

    /// The steps that were flagged.
    public var flagged: [LedgerEntry] {
        entries.filter {
            if case .flagged = $0.outcome { true } else { false }
        }
    }

    /// The outcome of a step; nil for a step of the other ceremony.
    public subscript(step: VerificationStep) -> LedgerOutcome? { entries.first { $0.step == step }?.outcome }
}

/// One step with its outcome.
public struct LedgerEntry: Hashable, Sendable {
    /// The step.
    public let step: VerificationStep
    /// The outcome.
    public let outcome: LedgerOutcome

    package init(step: VerificationStep, outcome: LedgerOutcome) {
        self.step = step
        self.outcome = outcome
    }
}

/// The outcome of a step.
public enum LedgerOutcome: Hashable, Sendable {
    /// The check holds.
    case passed
    /// Something deviates, for at least one reason, and the relying party accepts it.
    case flagged([Reason])
    /// The check does not hold, for at least one reason.
    case failed([Reason])
    /// The check does not apply; the text gives the reason.
    case notApplicable(String)
    /// An earlier failure prevented the check.
    case notReached

    /// The reasons of a failed or flagged step; otherwise empty.
    public var reasons: [Reason] {
        switch self {
        case .flagged(let reasons), .failed(let reasons): reasons
        case .passed, .notApplicable, .notReached: []
        }
    }

    /// The reasons of a failed step.
    package var refusals: [Reason] { if case .failed(let reasons) = self { reasons } else { [] } }

    /// The reasons of a flagged step.
    package var flags: [Reason] { if case .flagged(let reasons) = self { reasons } else { [] } }

    /// Failed with reasons, otherwise flagged with flags, otherwise passed.
    package static func judged(_ reasons: [Reason], flags: [Reason] = []) -> LedgerOutcome {
        guard reasons.isEmpty else { return .failed(reasons) }
        return flags.isEmpty ? .passed : .flagged(flags)
    }

    /// The outcome with a further flag, which a failed or missing outcome does not take.
    func flagged(_ flag: Reason) -> LedgerOutcome {
        switch self {
        case .passed, .flagged: .flagged(flags + [flag])
        case .failed, .notApplicable, .notReached: self
        }
    }

    var isAcceptable: Bool {
        switch self {
        case .passed, .flagged, .notApplicable: true
        case .failed, .notReached: false
        }
    }
}

/// Collects outcomes in any order, for a ledger in the specification's order.
struct LedgerBuilder {
    private var outcomes: [VerificationStep: LedgerOutcome] = [:]

    subscript(step: VerificationStep) -> LedgerOutcome {
        get { outcomes[step] ?? .notReached }
        set { outcomes[step] = newValue }
    }

    func accepts(_ steps: [VerificationStep], except pending: Set<VerificationStep>) -> Bool {
        steps.allSatisfy { pending.contains($0) || self[$0].isAcceptable }
    }

    /// The ledger of these steps; a step without an outcome was not reached.
    func ledger(of steps: [VerificationStep]) -> Ledger {
        Ledger(entries: steps.map { LedgerEntry(step: $0, outcome: self[$0]) })
    }
}
