internal import WebAuthn
internal import X509

/// The `android-key` format (WebAuthn L3 §8.4): `{"alg": int, "sig": bytes, "x5c": [leaf, issuer…]}`, signed with the
/// credential's own key, which the leaf names and describes.
///
/// Each authorization may be in the list enforced by the trusted execution environment or in the list enforced by
/// Android. Authorizations missing from both are accepted, because the specification's test vector omits them, unless
/// the relying party adds ``AttestationRule/trustedEnvironmentOfAndroid``.
package struct AndroidKeyAttestation: AttestationFormat {
    static let identifier = "android-key"
    package var identifier: String { Self.identifier }

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let members = try StatementMembers(input.statement, known: ["alg", "sig", "x5c"])
        let signature = try StatementSignature(members)
        let path = try members.certificates()
        let leaf = try AttestationCertificate(leafOf: path)
        var reasons = signature.judge(over: input.signedBytes, by: leaf)
        if let key = input.credentialPublicKey, !leaf.holds(key) {
            reasons.append(Reason(.androidKeyMismatch, "the certificate's key is not the credential's"))
        }
        reasons += judgeDescription(leaf, input)
        return try input.certified(by: path, unless: reasons, flags: members.flags)
    }

    private func judgeDescription(_ leaf: AttestationCertificate, _ input: AttestationInput) -> [Reason] {
        guard let value = leaf.certificate.extensions[oid: AndroidKeyDescription.oid]?.value else {
            return [Reason(.androidKeyDescriptionMissing, "the certificate has no key description")]
        }
        let description: AndroidKeyDescription
        do {
            description = try AndroidKeyDescription(der: Array(value))
        } catch {
            let words = CertificateProblem.words(error)
            return [Reason(.androidKeyDescriptionMalformed, "the key description cannot be read: \(words)")]
        }
        var reasons: [Reason] = []
        if description.challenge != input.clientDataHash {
            reasons.append(Reason(.androidKeyChallengeMismatch, "the challenge is not the client data hash"))
        }
        let lists = [description.softwareEnforced, description.trustedEnvironmentEnforced]
        if lists.contains(where: \.allApplications) {
            reasons.append(Reason(.androidKeyAllApplications, "every application may use the key"))
        }
        let isStrict = input.rules.contains(.trustedEnvironmentOfAndroid)
        for list in isStrict ? [description.trustedEnvironmentEnforced] : lists {
            reasons += judge(list, mustState: isStrict)
        }
        return reasons
    }

    private func judge(_ list: AndroidKeyDescription.AuthorizationList, mustState: Bool) -> [Reason] {
        var reasons: [Reason] = []
        if list.origin.map({ $0 != AndroidKeyDescription.generated }) ?? mustState {
            reasons.append(Reason(.androidKeyOrigin, "the key was not generated in the device"))
        }
        if list.purposes.map({ !$0.contains(AndroidKeyDescription.sign) }) ?? mustState {
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
