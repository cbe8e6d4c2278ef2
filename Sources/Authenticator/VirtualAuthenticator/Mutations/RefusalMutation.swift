internal import CTAP
internal import Mutations

/// A mutation run admits what the authenticator refuses for one reason, or refuses it with another status.
package enum RefusalMutation: Mutation {
    /// The refusal with this label does not happen.
    case admits(String)
    /// The refusal with this label answers OTHER (0x7F).
    case status(String)

    package static let room = "authenticator"

    /// The label of the refusal.
    package var label: String {
        switch self {
        case .admits(let label), .status(let label): label
        }
    }

    package var name: String {
        switch self {
        case .admits(let label): "admits:\(label)"
        case .status(let label): "status:\(label)"
        }
    }

    package static var allCases: [RefusalMutation] {
        RefusalLabels.conditional.map(Self.admits) + RefusalLabels.all.map(Self.status)
    }
}

/// Throws a refusal unless a condition holds.
func require(_ condition: Bool, else refusal: @autoclosure () -> Refusal) throws(Refusal) {
    if !condition { try refuse(refusal()) }
}

/// Throws a refusal that the command could go on without.
func refuse(_ refusal: Refusal) throws(Refusal) {
    guard !RefusalMutation.admits(refusal.reason.label).isActive else { return }
    throw refusal
}
