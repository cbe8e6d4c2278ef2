internal import CBOR
internal import COSE
internal import WebAuthn
internal import X509

/// The `android-key` format (WebAuthn L3 §8.4): `{"alg": int, "sig": bytes, "x5c": [leaf, issuer…]}`, signed with the
/// credential's own key, which the leaf names and describes.
///
/// Each authorization may be in the list enforced by the trusted execution environment or in the list enforced by
/// Android. Authorizations missing from both are accepted, because the specification's test vector omits them, unless
/// ``requiresTrustedEnvironment`` is set.
package struct AndroidKeyAttestation: AttestationFormat {
    package let identifier = "android-key"
    /// Whether origin and purpose must be in the list enforced by the trusted execution environment.
    package let requiresTrustedEnvironment: Bool

    package init(requiresTrustedEnvironment: Bool = false) {
        self.requiresTrustedEnvironment = requiresTrustedEnvironment
    }

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let statement = try SignedStatement(input.statement, members: ["alg", "sig", "x5c"])
        guard let path = statement.x5c else { throw StatementMembers.malformed("x5c is missing") }
        let leaf = try AttestationCertificate(der: path.first ?? [])
        var reasons: [Reason] = []
        switch leaf.publicKey(for: statement.algorithm) {
        case .success(let key): reasons += statement.judgeSignature(over: input.signedBytes, key: key)
        case .failure(let problem): reasons.append(problem.reason)
        }
        if let key = input.credentialPublicKey, !leaf.holds(key) {
            reasons.append(Reason(.androidKeyMismatch, "the certificate's key is not the credential's"))
        }
        reasons += judgeDescription(leaf, challenge: input.clientDataHash)
        guard reasons.isEmpty else { throw .failed(reasons) }
        guard input.credentialPublicKey != nil else { throw .keyNeeded }
        return .certified(path)
    }

    private func judgeDescription(_ leaf: AttestationCertificate, challenge: [UInt8]) -> [Reason] {
        guard let value = leaf.certificate.extensions[oid: AndroidKeyDescription.oid]?.value else {
            return [Reason(.androidKeyDescriptionMissing, "the certificate has no key description")]
        }
        let description: AndroidKeyDescription
        do {
            description = try AndroidKeyDescription(der: Array(value))
        } catch {
            return [Reason(.androidKeyDescriptionMalformed, "the key description cannot be read: \(error)")]
        }
        var reasons: [Reason] = []
        if description.challenge != challenge {
            reasons.append(Reason(.androidKeyChallengeMismatch, "the challenge is not the client data hash"))
        }
        let lists = [description.softwareEnforced, description.trustedEnvironmentEnforced]
        if lists.contains(where: \.allApplications) {
            reasons.append(Reason(.androidKeyAllApplications, "every application may use the key"))
        }
        for list in requiresTrustedEnvironment ? [description.trustedEnvironmentEnforced] : lists {
            reasons += judge(list)
        }
        return reasons
    }

    private func judge(_ list: AndroidKeyDescription.AuthorizationList) -> [Reason] {
        var reasons: [Reason] = []
        if list.origin.map({ $0 != AndroidKeyDescription.generated }) ?? requiresTrustedEnvironment {
            reasons.append(Reason(.androidKeyOrigin, "the key was not generated in the device"))
        }
        if list.purposes.map({ !$0.contains(AndroidKeyDescription.sign) }) ?? requiresTrustedEnvironment {
            reasons.append(Reason(.androidKeyPurpose, "the key is not for signing"))
        }
        return reasons
    }
}

extension ReasonLabel {
    package static let androidKeyMismatch: ReasonLabel = "attestation.androidKey.keyMismatch"
    package static let androidKeyDescriptionMissing: ReasonLabel = "attestation.androidKey.descriptionMissing"
    package static let androidKeyDescriptionMalformed: ReasonLabel = "attestation.androidKey.descriptionMalformed"
    package static let androidKeyChallengeMismatch: ReasonLabel = "attestation.androidKey.challengeMismatch"
    package static let androidKeyAllApplications: ReasonLabel = "attestation.androidKey.allApplications"
    package static let androidKeyOrigin: ReasonLabel = "attestation.androidKey.originNotGenerated"
    package static let androidKeyPurpose: ReasonLabel = "attestation.androidKey.purposeNotSign"
}
