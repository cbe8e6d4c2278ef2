internal import Mutations

/// A reason that the verifier does not notice: a response that only it refuses is accepted.
package struct IgnoredReason: Mutation {
    package static let room = "verifier"
    package static let allCases = ReasonLabel.refusing.map(IgnoredReason.init)

    let label: ReasonLabel

    package var name: String { "ignores:\(label.rawValue)" }
}

extension [Reason] {
    /// The reasons, without one that a mutation run ignores.
    var noticed: [Reason] { filter { !IgnoredReason(label: $0.label).isActive } }
}

extension LedgerOutcome {
    /// The outcome, without a reason that a mutation run ignores.
    var noticed: LedgerOutcome {
        if case .failed(let reasons) = self { .judged(reasons.noticed) } else { self }
    }
}
