internal import CBOR
internal import COSE

extension AttestationMaker {
    /// `{"sig", "x5c"}` over 0x00 ‖ RP ID hash ‖ client data hash ‖ credential ID ‖ the key's uncompressed point
    /// (WebAuthn L3 §8.6).
    func fidoU2F(_ subject: AttestationSubject) throws -> CBOR.Value {
        let key = subject.privateKey.publicKey
        let message =
            [0x00] + subject.relyingPartyIDHash + subject.clientDataHash + subject.credentialID + key.rawRepresentation
        return ["sig": .bytes(try sign(message)), "x5c": try path(u2fForm())]
    }

    /// A leaf without an AAGUID, which keys of this format do not have.
    func u2fForm() -> CertificateForm { form("U2F attestation of \(model)") }
}
