import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

/// A named change to a valid registration, and its expected result.
struct RegistrationMutation: Sendable, CustomTestStringConvertible {
    typealias Kind = RegistrationSample.Kind

    let name: String
    /// The steps that must fail, each with one of its reasons; empty when the response stays valid.
    let caughtBy: [VerificationStep: ReasonLabel]
    /// The steps that must be flagged, each with one of its reasons.
    let flaggedBy: [VerificationStep: ReasonLabel]
    /// The kinds of attestation it applies to.
    let kinds: Set<Kind>
    /// Whether it applies to a credential of this algorithm.
    let algorithms: Algorithms
    let apply: @Sendable (inout RegistrationSample) throws -> Void

    enum Algorithms {
        case any
        /// A key with two coordinates.
        case ecdsa
        /// A key on a curve.
        case elliptic
        case rsa
    }

    /// Every kind with certificates.
    static let attested: Set<Kind> = [.certified, .tpm, .androidKey, .apple, .fidoU2F]
    /// The kinds whose path may have several certificates.
    static let chained = attested.subtracting([.fidoU2F])

    init(
        _ name: String, caughtBy: [VerificationStep: ReasonLabel] = [:],
        flaggedBy: [VerificationStep: ReasonLabel] = [:], kinds: Set<Kind> = Set(Kind.allCases),
        algorithms: Algorithms = .any, apply: @escaping @Sendable (inout RegistrationSample) throws -> Void
    ) {
        self.name = name
        self.caughtBy = caughtBy
        self.flaggedBy = flaggedBy
        self.kinds = kinds
        self.algorithms = algorithms
        self.apply = apply
    }

    var testDescription: String {
        let steps = caughtBy.keys.map(\.rawValue).sorted() + flaggedBy.keys.map { "\($0.rawValue) flagged" }.sorted()
        return "\(name) → \(steps.isEmpty ? "accepted" : steps.joined(separator: " "))"
    }

    func isExpressible(for sample: RegistrationSample) -> Bool {
        let key = sample.credentialKey.publicKey
        let hasAlgorithm =
            switch algorithms {
            case .any: true
            case .ecdsa: !key.y.isEmpty
            case .elliptic: key.curve != nil
            case .rsa: key.algorithm == .rs256
            }
        return kinds.contains(sample.kind) && hasAlgorithm
    }

    static let all =
        response + clientDataRules + attestationObject + authenticatorDataRules + key + statement + certificate + trust
        + records + tpmRules + androidKeyRules + appleRules + fidoU2FRules
}
