internal import SwiftASN1
internal import WebAuthn
internal import X509

/// The requirements that the certificates of several formats share.
extension AttestationCertificate {
    func judgeVersion() -> [Reason] {
        guard certificate.version != .v3 else { return [] }
        return [Reason(.certificateVersion, "the certificate is \(certificate.version), not X509v3")]
    }

    func judgeBasicConstraints() -> [Reason] {
        // An unreadable extension counts as a missing one.
        switch try? certificate.extensions.basicConstraints {
        case .notCertificateAuthority: []
        case .isCertificateAuthority: [Reason(.certificateIsCA, "the attestation certificate is a CA certificate")]
        case nil: [Reason(.certificateBasicConstraints, "basic constraints are missing or unreadable")]
        }
    }

    /// id-fido-gen-ce-aaguid: an OCTET STRING of 16 bytes inside the extension's OCTET STRING.
    func judgeModel(_ model: AAGUID) -> [Reason] {
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
    package static let certificateVersion: ReasonLabel = "attestation.certificate.version"
    package static let certificateIsCA: ReasonLabel = "attestation.certificate.isCA"
    package static let certificateBasicConstraints: ReasonLabel = "attestation.certificate.basicConstraints"
    package static let certificateAAGUIDCritical: ReasonLabel = "attestation.certificate.aaguidCritical"
    package static let certificateAAGUIDMalformed: ReasonLabel = "attestation.certificate.aaguidMalformed"
    package static let certificateAAGUIDMismatch: ReasonLabel = "attestation.certificate.aaguidMismatch"
}
