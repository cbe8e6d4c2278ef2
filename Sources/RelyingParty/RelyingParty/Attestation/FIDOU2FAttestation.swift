internal import CBOR
internal import COSE
internal import WebAuthn

/// The `fido-u2f` format (WebAuthn L3 §8.6): `{"x5c": [certificate], "sig": bytes}`, the statement of a CTAP1
/// authenticator.
///
/// The signature covers 0x00 ‖ SHA-256 of the RP ID (32) ‖ client data hash (32) ‖ credential ID ‖ 0x04 ‖ x (32) ‖ y
/// (32).
package struct FIDOU2FAttestation: AttestationFormat {
    package let identifier = "fido-u2f"
    /// Whether the AAGUID must be zero.
    ///
    /// A CTAP1 authenticator has no AAGUID (CTAP 2.3 §7.1.4 fills in zeros), but WebAuthn requires no check.
    package let requiresZeroAAGUID: Bool

    package init(requiresZeroAAGUID: Bool = false) {
        self.requiresZeroAAGUID = requiresZeroAAGUID
    }

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let statement = try StatementMembers(input.statement, known: ["sig", "x5c"])
        let signature = try statement.bytes("sig")
        let path = try statement.certificates()
        var reasons: [Reason] = []
        if path.count != 1 {
            reasons.append(Reason(.fidoU2FCertificateCount, "x5c holds \(path.count) certificates, not 1"))
        }
        if requiresZeroAAGUID, input.attested.aaguid != .zero {
            reasons.append(Reason(.fidoU2FModelNotZero, "the AAGUID is \(input.attested.aaguid), not zero"))
        }
        let leaf = try AttestationCertificate(der: path.first ?? [])
        let leafKey = try? leaf.publicKey(for: .es256).get()
        if leafKey == nil {
            reasons.append(Reason(.fidoU2FCertificateKey, "the certificate's key is not on P-256"))
        }
        guard let key = input.credentialPublicKey else {
            guard reasons.isEmpty else { throw .failed(reasons) }
            throw .keyNeeded
        }
        if key.curve != .p256 {
            reasons.append(Reason(.fidoU2FCredentialKey, "the credential's key is not on P-256"))
        } else if let leafKey {
            let signed =
                [0x00] + input.authenticatorData.relyingPartyIDHash + input.clientDataHash
                + input.attested.credentialID + key.rawRepresentation
            reasons += SignedStatement.judge(signature, over: signed, key: leafKey)
        }
        guard reasons.isEmpty else { throw .failed(reasons) }
        return .certified(path)
    }
}

extension ReasonLabel {
    package static let fidoU2FCertificateCount: ReasonLabel = "attestation.fidoU2F.certificateCount"
    package static let fidoU2FCertificateKey: ReasonLabel = "attestation.fidoU2F.certificateKey"
    package static let fidoU2FCredentialKey: ReasonLabel = "attestation.fidoU2F.credentialKey"
    package static let fidoU2FModelNotZero: ReasonLabel = "attestation.fidoU2F.modelNotZero"
}
