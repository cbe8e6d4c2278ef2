internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AttestationCertificate {
    /// Checks the requirements of a `tpm` leaf certificate (WebAuthn L3 §8.3.1), except its signature.
    func judgeTPMRequirements(model: AAGUID) -> [Reason] {
        judgeVersion() + judgeEmptySubject() + judgeTPMName() + judgeTPMUsage() + judgeBasicConstraints()
            + judgeModel(model)
    }

    private func judgeEmptySubject() -> [Reason] {
        guard !certificate.subject.isEmpty else { return [] }
        return [Reason(.tpmCertificateSubject, "the subject is “\(certificate.subject)”, not empty")]
    }

    /// The subject alternative name: manufacturer, model and version of the TPM (TCG EK Credential Profile §3.2.9).
    private func judgeTPMName() -> [Reason] {
        guard let names = try? certificate.extensions.subjectAlternativeNames else {
            return [Reason(.tpmCertificateName, "the subject alternative name is missing or unreadable")]
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
            let sentence = "the extended key usage is not tcg-kp-AIKCertificate"
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
