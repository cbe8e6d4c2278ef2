import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

/// One named way of changing a good registration, and what must come of it.
struct RegistrationMutation: Sendable, CustomTestStringConvertible {
    typealias Kind = RegistrationSample.Kind

    let name: String
    /// The steps that must fail, each with a reason that must be among its own; empty when the response stays good.
    let caughtBy: [LedgerStep: ReasonLabel]
    /// The kinds of attestation it can be expressed for.
    let kinds: Set<Kind>
    /// Whether it can be expressed for a credential of this algorithm.
    let algorithms: Algorithms
    let apply: @Sendable (inout RegistrationSample) throws -> Void

    enum Algorithms {
        case any, ecdsa
    }

    init(
        _ name: String, caughtBy: [LedgerStep: ReasonLabel], kinds: Set<Kind> = [.none, .selfSigned, .certified],
        algorithms: Algorithms = .any, apply: @escaping @Sendable (inout RegistrationSample) throws -> Void
    ) {
        self.name = name
        self.caughtBy = caughtBy
        self.kinds = kinds
        self.algorithms = algorithms
        self.apply = apply
    }

    var testDescription: String {
        let steps = caughtBy.keys.map(\.rawValue).sorted().joined(separator: " ")
        return "\(name) → \(steps.isEmpty ? "accepted" : steps)"
    }

    func isExpressible(for sample: RegistrationSample) -> Bool {
        kinds.contains(sample.kind) && (algorithms == .any || sample.credentialKey.algorithm != .edDSA)
    }

    static let all =
        response + clientDataRules + attestationObject + authenticatorDataRules + key + statement + certificate + trust
        + records
}
