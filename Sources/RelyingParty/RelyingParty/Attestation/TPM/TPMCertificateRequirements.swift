internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AttestationCertificate {
    /// What a `tpm` leaf certificate must be (WebAuthn L3 §8.3.1), beyond its signature.
    func judgeTPMRequirements(model: AAGUID) -> [Reason] {
        judgeVersion() + judgeEmptySubject() + judgeTPMName() + judgeTPMUsage() + judgeBasicConstraints()
            + judgeModel(model)
    }

    private func judgeEmptySubject() -> [Reason] {
        guard !certificate.subject.isEmpty else { return [] }
        return [Reason(.tpmCertificateSubject, "the subject is “\(certificate.subject)”, not empty")]
    }

    /// The subject's name stands in the extension for other names: manufacturer, model and version of the TPM (TCG
    /// EK Credential Profile §3.2.9).
    private func judgeTPMName() -> [Reason] {
        guard let names = try? certificate.extensions.subjectAlternativeNames else {
            return [Reason(.tpmCertificateName, "there is no subject alternative name to be read")]
        }
        var found: Set<ASN1ObjectIdentifier> = []
        for case .directoryName(let name) in names {
            for attribute in name.flatMap({ $0 }) where String(attribute.value)?.isEmpty == false {
                found.insert(attribute.type)
            }
        }
        let required: [(ASN1ObjectIdentifier, String)] = [
            ([2, 23, 133, 2, 1], "manufacturer"), ([2, 23, 133, 2, 2], "model"), ([2, 23, 133, 2, 3], "version"),
        ]
        return required.filter { !found.contains($0.0) }.map {
            Reason(.tpmCertificateName, "the subject alternative name states no TPM \($0.1)")
        }
    }

    /// The extended key usage tcg-kp-AIKCertificate.
    private func judgeTPMUsage() -> [Reason] {
        let attestationKey = ExtendedKeyUsage.Usage(oid: [2, 23, 133, 8, 3])
        guard let usage = try? certificate.extensions.extendedKeyUsage, usage.contains(attestationKey) else {
            let sentence = "the extended key usage is not that of a TPM's attestation key"
            return [Reason(.tpmCertificateUsage, sentence)]
        }
        return []
    }
}

extension ReasonLabel {
    package static let tpmCertificateSubject: ReasonLabel = "attestation.tpm.certificate.subjectNotEmpty"
    package static let tpmCertificateName: ReasonLabel = "attestation.tpm.certificate.alternativeName"
    package static let tpmCertificateUsage: ReasonLabel = "attestation.tpm.certificate.extendedKeyUsage"
}
