public import WebAuthn

/// Every step of one verification with its outcome, in the specification's order.
public struct Ledger: Hashable, Sendable {
    /// One entry for each step of the ceremony.
    public let entries: [LedgerEntry]

    /// A ledger of these entries.
    package init(entries: [LedgerEntry]) {
        self.entries = entries
    }

    /// Whether no step failed and none was left unjudged.
    public var isAccepted: Bool { entries.allSatisfy(\.outcome.isAcceptable) }

    /// The first step that failed.
    public var firstFailure: LedgerEntry? { failures.first }

    /// The steps that failed.
    public var failures: [LedgerEntry] {
        entries.filter {
            if case .failed = $0.outcome { true } else { false }
        }
    }

    /// The outcome of a step, or nil when the step belongs to the other ceremony.
    public subscript(step: VerificationStep) -> LedgerOutcome? {
        entries.first { $0.step == step }?.outcome
    }
}

/// One step and how it came out.
public struct LedgerEntry: Hashable, Sendable {
    /// The step.
    public let step: VerificationStep
    /// How it came out.
    public let outcome: LedgerOutcome

    /// An entry for a step.
    package init(step: VerificationStep, outcome: LedgerOutcome) {
        self.step = step
        self.outcome = outcome
    }
}

/// How a step came out.
public enum LedgerOutcome: Hashable, Sendable {
    /// The check holds.
    case passed
    /// The check does not hold, and the relying party's policy goes on nevertheless.
    case flagged([Reason])
    /// The check does not hold, for at least one reason.
    case failed([Reason])
    /// There is nothing to check; the text says why.
    case notApplicable(String)
    /// An earlier failure left nothing to judge.
    case notReached

    /// The reasons of a failed or flagged step; otherwise empty.
    public var reasons: [Reason] {
        switch self {
        case .flagged(let reasons), .failed(let reasons): reasons
        case .passed, .notApplicable, .notReached: []
        }
    }

    /// Passed when there is no reason against it, else failed.
    static func judged(_ reasons: [Reason]) -> LedgerOutcome {
        reasons.isEmpty ? .passed : .failed(reasons)
    }

    var isAcceptable: Bool {
        switch self {
        case .passed, .flagged, .notApplicable: true
        case .failed, .notReached: false
        }
    }
}

/// Collects outcomes in the order they can be judged and writes them down in the specification's order.
struct LedgerBuilder {
    private var outcomes: [VerificationStep: LedgerOutcome] = [:]

    subscript(step: VerificationStep) -> LedgerOutcome {
        get { outcomes[step] ?? .notReached }
        set { outcomes[step] = newValue }
    }

    /// Whether every one of the steps, save some, holds so far.
    func accepts(_ steps: [VerificationStep], except pending: Set<VerificationStep>) -> Bool {
        steps.allSatisfy { pending.contains($0) || self[$0].isAcceptable }
    }

    /// The ledger of these steps; a step nobody judged was not reached.
    func ledger(of steps: [VerificationStep]) -> Ledger {
        Ledger(entries: steps.map { LedgerEntry(step: $0, outcome: self[$0]) })
    }
}
