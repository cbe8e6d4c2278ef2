internal import WebAuthn

/// Assesses a valid attestation against the relying party's policy (WebAuthn L3 §7.1 steps 23–24).
struct AttestationAssessment {
    let outcome: LedgerOutcome
    /// Whether a trust anchor confirms the model.
    let isTrusted: Bool

    init(format: String, attestation: AttestationResult, model: AAGUID, policy: AttestationPolicy) async {
        let trust = await Trust(format, attestation, model, policy)
        var reasons = trust.reasons
        isTrusted = trust.isTrusted
        if let accepted = policy.acceptedModels {
            // Without trust the AAGUID is only a claim.
            if !isTrusted {
                reasons.append(Reason(.attestationModelUnproven, "the model \(model) is not proven by a trusted path"))
            } else if !accepted.contains(model) {
                reasons.append(Reason(.attestationModelNotAccepted, "model \(model) is not accepted"))
            }
        }
        outcome =
            !trust.isAssessed && reasons.isEmpty
            ? .notApplicable("the policy does not assess certificate paths") : .judged(reasons)
    }
}

/// The assessment of one attestation, without the model.
private struct Trust {
    /// The reasons against it.
    var reasons: [Reason] = []
    /// Whether the policy assesses its certificate path.
    var isAssessed = true
    /// Whether a trust anchor confirms the model.
    var isTrusted = false

    init(_ format: String, _ attestation: AttestationResult, _ model: AAGUID, _ policy: AttestationPolicy) async {
        if let accepted = policy.acceptedFormats, !accepted.contains(where: { isSameText($0, format) }) {
            reasons.append(Reason(.attestationFormatNotAccepted, "the policy does not accept “\(format)” attestation"))
        }
        switch attestation.kind {
        case .none:
            if !policy.acceptsNone { reasons.append(Reason(.attestationNoneRefused, "attestation is required")) }
        case .`self`:
            if !policy.acceptsSelf {
                reasons.append(Reason(.attestationSelfRefused, "self attestation is not accepted"))
            }
        case .certified:
            await judgePath(attestation.trustPath, model, policy)
        case .compound:
            await judgeComponents(attestation, model, policy)
        }
    }

    private mutating func judgePath(_ certificates: [[UInt8]], _ model: AAGUID, _ policy: AttestationPolicy) async {
        guard let trustAnchors = policy.trustAnchors else {
            isAssessed = false
            return
        }
        let problems: [Reason]
        do {
            let path = try TrustPath(certificates)
            problems = await path.judge(anchors: trustAnchors.anchors(for: model), now: policy.now)
        } catch {
            problems = error.reasons
        }
        reasons += problems
        isTrusted = problems.isEmpty
    }

    /// The policy must accept as many statements as had to be valid; one trusted statement confirms the model.
    private mutating func judgeComponents(
        _ attestation: AttestationResult, _ model: AAGUID, _ policy: AttestationPolicy
    ) async {
        var parts: [Trust] = []
        for component in attestation.components {
            parts.append(await Trust(component.format, component.result, model, policy))
        }
        let accepted = parts.filter(\.reasons.isEmpty)
        if accepted.count < attestation.componentsNeeded { reasons += parts.flatMap(\.reasons) }
        isAssessed = parts.contains(where: \.isAssessed)
        isTrusted = accepted.contains(where: \.isTrusted)
    }
}
