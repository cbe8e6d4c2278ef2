internal import COSE
internal import WebAuthn

/// Assesses a valid attestation against the relying party's policy (WebAuthn L3 §7.1 steps 23–24).
struct AttestationAssessment {
    private var reasons: [Reason] = []
    /// Deviations that do not refuse it.
    private var flags: [Reason] = []
    /// Whether the policy assesses its certificate path.
    private var isAssessed = true
    private(set) var isTrusted = false
    /// Whether a trusted path proves the model.
    private(set) var isModelProven = false

    /// `algorithm` is the credential's, if its key could be read.
    init(
        format: String, attestation: AttestationResult, model: AAGUID, algorithm: COSE.Algorithm?,
        policy: AttestationPolicy, now: Duration
    ) async {
        await self.init(format, attestation, model, algorithm, policy, now)
        if let blob = policy.metadata?.blob, let day = blob.outdatedSince(now) {
            let sentence = "number \(blob.number) of the metadata is out of date: the next was due by \(day)"
            flags.append(Reason(.metadataOutdated, sentence))
        }
        guard let accepted = policy.acceptedModels else { return }
        if !isModelProven {
            let sentence = "the model \(model) is not proven by a trusted path"
            reasons.append(Reason(.attestationModelUnproven, sentence))
        } else if !accepted.contains(model) {
            reasons.append(Reason(.attestationModelNotAccepted, "model \(model) is not accepted"))
        }
    }

    var outcome: LedgerOutcome {
        !isAssessed && reasons.isEmpty
            ? .notApplicable("the policy does not assess certificate paths") : .judged(reasons, flags: flags)
    }

    private init(
        _ format: String, _ attestation: AttestationResult, _ model: AAGUID, _ algorithm: COSE.Algorithm?,
        _ policy: AttestationPolicy, _ now: Duration
    ) async {
        if let accepted = policy.acceptedFormats, !accepted.contains(where: { isSameText($0, format) }) {
            reasons.append(Reason(.attestationFormatNotAccepted, "the policy does not accept “\(format)” attestation"))
        }
        var metadata: MetadataCheck?
        if attestation.kind == .`self` || attestation.kind == .certified, let use = policy.metadata {
            metadata = MetadataCheck(attestation, model: model, format: format, policy: use)
        }
        reasons += metadata?.reasons(attestation, algorithm, now: now) ?? []
        flags += metadata?.flags(now: now) ?? []
        switch attestation.kind {
        case .none:
            if !policy.acceptsNone { reasons.append(Reason(.attestationNoneRefused, "attestation is required")) }
        case .`self`:
            if !policy.acceptsSelf {
                reasons.append(Reason(.attestationSelfRefused, "self attestation is not accepted"))
            }
        case .certified: await assessPath(format, attestation, model, metadata?.anchors ?? [], policy, now)
        case .compound: await assessComponents(attestation, model, algorithm, policy, now)
        }
    }

    private mutating func assessPath(
        _ format: String, _ attestation: AttestationResult, _ model: AAGUID, _ vendorAnchors: [[UInt8]],
        _ policy: AttestationPolicy, _ now: Duration
    ) async {
        let isAndroid = isSameText(format, AndroidKeyAttestation.identifier)
        isAssessed = policy.trustAnchors != nil || policy.metadata != nil
        do {
            let path = try TrustPath(
                attestation.trustPath, anchors: (policy.trustAnchors?.anchors(for: model) ?? []) + vendorAnchors)
            var problems = isAssessed ? await path.judge(now: now) : []
            if isAndroid, let revocations = policy.androidRevocations {
                problems += path.judgeRevocation(revocations)
            }
            reasons += problems
            isTrusted = isAssessed && problems.isEmpty
            isModelProven = isTrusted && attestation.provesModel
            // Android's keystore always returns the root, too.
            if path.carriesAnchor, !isAndroid {
                flags.append(Reason(.attestationAnchorInPath, "the path contains the trust anchor itself"))
            }
        } catch {
            if isAssessed { reasons += error.reasons }
        }
    }

    /// The policy must accept as many statements as had to be valid; one trusted statement confirms the path.
    private mutating func assessComponents(
        _ attestation: AttestationResult, _ model: AAGUID, _ algorithm: COSE.Algorithm?, _ policy: AttestationPolicy,
        _ now: Duration
    ) async {
        var parts: [AttestationAssessment] = []
        for component in attestation.components {
            parts.append(await AttestationAssessment(component.format, component.result, model, algorithm, policy, now))
        }
        let accepted = parts.filter(\.reasons.isEmpty)
        if accepted.count < attestation.componentsNeeded { reasons += parts.flatMap(\.reasons) }
        flags += parts.flatMap(\.flags)
        isAssessed = parts.contains(where: \.isAssessed)
        isTrusted = accepted.contains(where: \.isTrusted)
        isModelProven = accepted.contains(where: \.isModelProven)
    }
}
