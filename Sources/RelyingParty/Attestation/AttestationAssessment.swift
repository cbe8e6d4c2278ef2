internal import WebAuthn

/// Whether a valid attestation meets the relying party's policy (WebAuthn L3 §7.1 steps 23–24).
struct AttestationAssessment {
    let outcome: LedgerOutcome
    /// Whether a trust anchor vouches for the model.
    let isTrusted: Bool

    init(format: String, attestation: AttestationResult, model: AAGUID, policy: AttestationPolicy) async {
        var reasons: [Reason] = []
        if let accepted = policy.acceptedFormats, !accepted.contains(where: { isSameText($0, format) }) {
            reasons.append(Reason(.attestationFormatNotAccepted, "the policy does not accept “\(format)” attestation"))
        }
        let trust = await Self.trustReasons(attestation, model, policy)
        isTrusted = trust?.isEmpty == true && attestation.kind == .certified
        reasons += trust ?? []
        if let accepted = policy.acceptedModels {
            // An AAGUID nobody vouches for is a claim anyone can make.
            if !isTrusted {
                reasons.append(Reason(.attestationModelUnproven, "nothing proves that the model is \(model)"))
            } else if !accepted.contains(model) {
                reasons.append(Reason(.attestationModelNotAccepted, "model \(model) is not accepted"))
            }
        }
        outcome =
            trust == nil && reasons.isEmpty
            ? .notApplicable("the policy does not assess certificate paths") : .judged(reasons)
    }

    /// Why the attestation is not trusted; nil when the policy leaves that open.
    private static func trustReasons(
        _ attestation: AttestationResult, _ model: AAGUID, _ policy: AttestationPolicy
    ) async -> [Reason]? {
        switch attestation.kind {
        case .none:
            return policy.acceptsNone ? [] : [Reason(.attestationNoneRefused, "attestation is required")]
        case .`self`:
            return policy.acceptsSelf ? [] : [Reason(.attestationSelfRefused, "self attestation is not accepted")]
        case .certified:
            guard let trustAnchors = policy.trustAnchors else { return nil }
            let path: TrustPath
            do {
                path = try TrustPath(attestation.trustPath)
            } catch {
                return error.reasons
            }
            return await path.judge(anchors: trustAnchors.anchors(for: model), now: policy.now)
        }
    }
}
