internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AttestationCertificate {
    /// Checks the requirements of a `tpm` leaf certificate (WebAuthn L3 §8.3.1), except its signature.
    func judgeTPMRequirements(model: AAGUID, rules: Set<AttestationRule>) -> [Reason] {
        judgeVersion() + judgeEmptySubject() + judgeTPMName(rules) + judgeTPMUsage() + judgeBasicConstraints()
            + judgeModel(model)
    }

    private func judgeEmptySubject() -> [Reason] {
        guard !certificate.subject.isEmpty else { return [] }
        return [Reason(.tpmCertificateSubject, "the subject is “\(certificate.subject)”, not empty")]
    }

    /// The subject alternative name: manufacturer, model and version of the TPM (TCG EK Credential Profile §3.2.9).
    private func judgeTPMName(_ rules: Set<AttestationRule>) -> [Reason] {
        guard let names = try? certificate.extensions.subjectAlternativeNames else {
            return [Reason(.tpmCertificateName, "the subject alternative name is missing or unreadable")]
        }
        var found: [ASN1ObjectIdentifier: String] = [:]
        for case .directoryName(let name) in names {
            for attribute in name.flatMap({ $0 }) { found[attribute.type] = String(attribute.value) }
        }
        let manufacturer: ASN1ObjectIdentifier = [2, 23, 133, 2, 1]
        let required: [(ASN1ObjectIdentifier, String)] = [
            (manufacturer, "manufacturer"), ([2, 23, 133, 2, 2], "model"), ([2, 23, 133, 2, 3], "version"),
        ]
        var reasons = required.filter { (found[$0.0] ?? "").isEmpty }.map {
            Reason(.tpmCertificateName, "the subject alternative name states no TPM \($0.1)")
        }
        if rules.contains(.registeredTPMManufacturer), let stated = found[manufacturer],
            !stated.isEmpty, !TPMManufacturer.isRegistered(stated)
        {
            reasons.append(Reason(.tpmCertificateManufacturer, "no TPM manufacturer is registered as “\(stated)”"))
        }
        return reasons
    }

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
    package static let tpmCertificateManufacturer: ReasonLabel = "attestation.tpm.certificate.manufacturer"
    package static let tpmCertificateUsage: ReasonLabel = "attestation.tpm.certificate.extendedKeyUsage"
}
