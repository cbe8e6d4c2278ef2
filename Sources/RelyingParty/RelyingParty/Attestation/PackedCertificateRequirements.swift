internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AttestationCertificate {
    /// Checks the requirements of a `packed` leaf certificate (WebAuthn L3 §8.2.1), except its signature.
    func judgePackedRequirements(model: AAGUID) -> [Reason] {
        judgeVersion() + judgeSubject() + judgeBasicConstraints() + judgeModel(model)
    }

    private func judgeSubject() -> [Reason] {
        let country = subjectTexts(.RDNAttributeType.countryName)
        let organization = subjectTexts(.RDNAttributeType.organizationName)
        let unit = subjectTexts(.RDNAttributeType.organizationalUnitName)
        let name = subjectTexts(.RDNAttributeType.commonName)
        var problems: [String] = []
        if !(country.count == 1 && country.allSatisfy(Self.isCountryCode)) {
            problems.append("C must be one two-letter country code")
        }
        if !(organization.count == 1 && organization.allSatisfy { !$0.isEmpty }) {
            problems.append("O must name the vendor")
        }
        if !(unit.count == 1 && unit.allSatisfy { isSameText($0, "Authenticator Attestation") }) {
            problems.append("OU must be “Authenticator Attestation”")
        }
        if !(name.count == 1 && name.allSatisfy { !$0.isEmpty }) {
            problems.append("CN must not be empty")
        }
        return problems.map { Reason(.certificateSubject, "the subject of the attestation certificate: \($0)") }
    }

    private static func isCountryCode(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private func subjectTexts(_ type: ASN1ObjectIdentifier) -> [String] {
        certificate.subject.flatMap { $0 }.filter { $0.type == type }.map { String($0.value) ?? "" }
    }
}

extension ReasonLabel {
    package static let certificateSubject: ReasonLabel = "attestation.certificate.subject"
}
