internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AttestationCertificate {
    /// Checks the requirements of a `packed` leaf certificate (WebAuthn L3 §8.2.1), except its signature.
    func judgePackedRequirements(model: AAGUID) -> [Reason] {
        judgeVersion() + judgeSubject() + judgeBasicConstraints() + judgeModel(model)
    }

    private func judgeSubject() -> [Reason] {
        let rules: [(ASN1ObjectIdentifier, String, (String) -> Bool)] = [
            (.RDNAttributeType.countryName, "C must be one code of a country in ISO 3166-1", CountryCodes.contains),
            (.RDNAttributeType.organizationName, "O must name the vendor", { !$0.isEmpty }),
            (
                .RDNAttributeType.organizationalUnitName, "OU must be “Authenticator Attestation”",
                { isSameText($0, "Authenticator Attestation") }
            ),
            (.RDNAttributeType.commonName, "CN must not be empty", { !$0.isEmpty }),
        ]
        return rules.compactMap { type, rule, holds in
            let texts = subjectTexts(type)
            guard texts.count != 1 || !texts.allSatisfy(holds) else { return nil }
            return Reason(.certificateSubject, "the subject of the attestation certificate: \(rule)")
        }
    }

    private func subjectTexts(_ type: ASN1ObjectIdentifier) -> [String] {
        certificate.subject.flatMap { $0 }.filter { $0.type == type }.map { String($0.value) ?? "" }
    }
}

extension ReasonLabel {
    package static let certificateSubject: ReasonLabel = "attestation.certificate.subject"
}
