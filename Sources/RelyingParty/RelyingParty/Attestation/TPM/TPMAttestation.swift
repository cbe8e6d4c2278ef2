internal import COSE
internal import WebAuthn

/// The `tpm` format (WebAuthn L3 §8.3): `{"ver": "2.0", "alg": int, "x5c": [leaf, issuer…], "sig": bytes, "certInfo":
/// bytes, "pubArea": bytes}`.
///
/// The leaf's key signs `certInfo`, in which the TPM certifies that it holds the key of `pubArea`, over a hash of the
/// authenticator data and client data hash.
package struct TPMAttestation: AttestationFormat {
    static let identifier = "tpm"
    package var identifier: String { Self.identifier }

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let members = try StatementMembers(input.statement, known: ["ver", "alg", "x5c", "sig", "certInfo", "pubArea"])
        let signature = try StatementSignature(members)
        let version = try members.text("ver")
        let certification = try members.bytes("certInfo")
        let publicArea = try members.bytes("pubArea")
        let path = try members.certificates()
        let leaf = try AttestationCertificate(leafOf: path)

        var reasons: [Reason] = []
        if !isSameText(version, "2.0") {
            reasons.append(Reason(.tpmVersion, "the version is “\(version)”, not “2.0”"))
        }
        reasons += judgePublicArea(publicArea, key: input.credentialPublicKey)
        if let hash = signature.algorithm.hash(of: input.signedBytes) {
            reasons += judgeCertification(certification, publicArea: publicArea, signedHash: hash)
        } else {
            let sentence = "\(signature.algorithm) names no hash function for extraData"
            reasons.append(Reason(.attestationAlgorithmUnsupported, sentence))
        }
        // Windows signs with RS1, which no other format and no credential may use.
        reasons += signature.judge(over: certification, by: leaf, acceptsRS1: true)
        reasons += leaf.judgeTPMRequirements(model: input.attested.aaguid, rules: input.rules)
        return try input.certified(by: path, unless: reasons, flags: members.flags)
    }

    private func judgePublicArea(_ bytes: [UInt8], key: COSE.PublicKey?) -> [Reason] {
        let area: TPMPublicArea
        do {
            area = try TPMPublicArea(parsing: bytes)
        } catch {
            return [Reason(.tpmPublicAreaMalformed, "pubArea: \(error)")]
        }
        guard let key, !area.holds(key) else { return [] }
        return [Reason(.tpmKeyMismatch, "pubArea's key is not the credential's")]
    }

    private func judgeCertification(_ bytes: [UInt8], publicArea: [UInt8], signedHash: [UInt8]) -> [Reason] {
        let certification: TPMCertification
        do {
            certification = try TPMCertification(parsing: bytes)
        } catch {
            return [Reason(.tpmCertInfoMalformed, "certInfo: \(error)")]
        }
        var reasons: [Reason] = []
        if certification.magic != TPMCertification.generatedValue {
            reasons.append(Reason(.tpmMagic, "certInfo does not have the magic number of a TPM"))
        }
        guard certification.type == TPMCertification.certifyType else {
            return reasons + [Reason(.tpmType, "certInfo is not the certification of a key")]
        }
        if certification.extraData != signedHash {
            let sentence = "certInfo's extraData is not the hash of authenticator data and client data hash"
            reasons.append(Reason(.tpmExtraDataMismatch, sentence))
        }
        if !certification.names(publicArea: publicArea) {
            reasons.append(Reason(.tpmNameMismatch, "certInfo certifies another key than pubArea's"))
        }
        return reasons
    }
}

extension ReasonLabel {
    package static let tpmVersion: ReasonLabel = "attestation.tpm.version"
    package static let tpmPublicAreaMalformed: ReasonLabel = "attestation.tpm.publicAreaMalformed"
    package static let tpmKeyMismatch: ReasonLabel = "attestation.tpm.keyMismatch"
    package static let tpmCertInfoMalformed: ReasonLabel = "attestation.tpm.certInfoMalformed"
    package static let tpmMagic: ReasonLabel = "attestation.tpm.magic"
    package static let tpmType: ReasonLabel = "attestation.tpm.type"
    package static let tpmExtraDataMismatch: ReasonLabel = "attestation.tpm.extraDataMismatch"
    package static let tpmNameMismatch: ReasonLabel = "attestation.tpm.nameMismatch"
}
