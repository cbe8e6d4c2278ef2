internal import SwiftASN1
internal import WebAuthn
internal import X509

extension AttestationCertificate {
    /// What a `packed` leaf certificate must be (WebAuthn L3 §8.2.1), beyond its signature.
    func judgePackedRequirements(model: AAGUID) -> [Reason] {
        var reasons: [Reason] = []
        if certificate.version != .v3 {
            reasons.append(Reason(.certificateVersion, "the certificate is \(certificate.version), not X509v3"))
        }
        return reasons + judgeSubject() + judgeBasicConstraints() + judgeModel(model)
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
            problems.append("CN must be a text of the vendor's choosing")
        }
        return problems.map { Reason(.certificateSubject, "the subject of the attestation certificate: \($0)") }
    }

    private static func isCountryCode(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private func subjectTexts(_ type: ASN1ObjectIdentifier) -> [String] {
        certificate.subject.flatMap { $0 }.filter { $0.type == type }.map { String($0.value) ?? "" }
    }

    private func judgeBasicConstraints() -> [Reason] {
        // A failure to read the extension and its absence both leave CA unproven.
        switch try? certificate.extensions.basicConstraints {
        case .notCertificateAuthority: []
        case .isCertificateAuthority: [Reason(.certificateIsCA, "the attestation certificate is a CA's")]
        case nil: [Reason(.certificateBasicConstraints, "basic constraints are missing or unreadable")]
        }
    }

    /// id-fido-gen-ce-aaguid: an OCTET STRING of sixteen bytes, itself inside the extension's OCTET STRING.
    private func judgeModel(_ model: AAGUID) -> [Reason] {
        guard let fidoModel = certificate.extensions[oid: [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]] else { return [] }
        var reasons: [Reason] = []
        if fidoModel.critical {
            reasons.append(Reason(.certificateAAGUIDCritical, "the AAGUID extension is marked critical"))
        }
        guard let content = try? ASN1OctetString(derEncoded: Array(fidoModel.value)),
            let stated = AAGUID(bytes: Array(content.bytes))
        else {
            return reasons + [
                Reason(.certificateAAGUIDMalformed, "the AAGUID extension is not an octet string of 16 bytes")
            ]
        }
        if stated != model {
            let sentence = "the certificate is for model \(stated), the authenticator data says \(model)"
            reasons.append(Reason(.certificateAAGUIDMismatch, sentence))
        }
        return reasons
    }
}

extension ReasonLabel {
    public static let certificateVersion: ReasonLabel = "attestation.certificate.version"
    public static let certificateSubject: ReasonLabel = "attestation.certificate.subject"
    public static let certificateIsCA: ReasonLabel = "attestation.certificate.isCA"
    public static let certificateBasicConstraints: ReasonLabel = "attestation.certificate.basicConstraints"
    public static let certificateAAGUIDCritical: ReasonLabel = "attestation.certificate.aaguidCritical"
    public static let certificateAAGUIDMalformed: ReasonLabel = "attestation.certificate.aaguidMalformed"
    public static let certificateAAGUIDMismatch: ReasonLabel = "attestation.certificate.aaguidMismatch"
}
