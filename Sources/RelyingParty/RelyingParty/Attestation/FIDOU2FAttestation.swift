internal import COSE
internal import WebAuthn

/// The `fido-u2f` format (WebAuthn L3 §8.6): `{"x5c": [certificate], "sig": bytes}`, the statement of a CTAP1
/// authenticator.
///
/// The signature covers 0x00 ‖ SHA-256 of the RP ID (32) ‖ client data hash (32) ‖ credential ID ‖ 0x04 ‖ x (32) ‖ y
/// (32), and not the AAGUID, so that the statement proves no model. A CTAP1 authenticator has no AAGUID (CTAP 2.3
/// §7.1.4 fills in zeros); WebAuthn requires no check, and ``AttestationRule/zeroAAGUIDOfU2F`` adds one.
package struct FIDOU2FAttestation: AttestationFormat {
    static let identifier = "fido-u2f"
    package var identifier: String { Self.identifier }

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let members = try StatementMembers(input.statement, known: ["sig", "x5c"])
        let signature = try StatementSignature(members, algorithm: .es256)
        let path = try members.certificates()
        var reasons: [Reason] = []
        var flags = members.flags
        if path.count != 1 {
            reasons.append(Reason(.fidoU2FCertificateCount, "x5c holds \(path.count) certificates, not 1"))
        }
        if input.attested.aaguid != .zero {
            let reason = Reason(.fidoU2FModelNotZero, "the AAGUID is \(input.attested.aaguid), not zero")
            if input.rules.contains(.zeroAAGUIDOfU2F) { reasons.append(reason) } else { flags.append(reason) }
        }
        let leaf = try AttestationCertificate(leafOf: path)
        let leafKey = try? leaf.key(for: .es256)
        if leafKey == nil {
            reasons.append(Reason(.fidoU2FCertificateKey, "the certificate's key is not on P-256"))
        }
        if let key = input.credentialPublicKey {
            if key.curve != .p256 {
                reasons.append(Reason(.fidoU2FCredentialKey, "the credential's key is not on P-256"))
            } else if let leafKey {
                let signed =
                    [0x00] + input.authenticatorData.relyingPartyIDHash + input.clientDataHash
                    + input.attested.credentialID + key.rawRepresentation
                reasons += signature.judge(over: signed, key: leafKey)
            }
        }
        return try input.certified(by: path, unless: reasons, flags: flags, provesModel: false)
    }
}

extension ReasonLabel {
    package static let fidoU2FCertificateCount: ReasonLabel = "attestation.fidoU2F.certificateCount"
    package static let fidoU2FCertificateKey: ReasonLabel = "attestation.fidoU2F.certificateKey"
    package static let fidoU2FCredentialKey: ReasonLabel = "attestation.fidoU2F.credentialKey"
    package static let fidoU2FModelNotZero: ReasonLabel = "attestation.fidoU2F.modelNotZero"
}
