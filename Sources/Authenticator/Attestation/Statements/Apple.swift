internal import CBOR
internal import COSE
internal import SwiftASN1

extension AttestationMaker {
    static let appleNonceExtension: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

    /// `{"x5c"}`: a certificate for the credential's key with SHA-256 of the signed bytes (WebAuthn L3 §8.8).
    func apple(_ subject: AttestationSubject) throws -> CBOR.Value {
        var form = form("Apple credential \(subject.credentialID)", for: try describedKey(subject).publicKey)
        let nonce = binding(sha256(subject.signedBytes))
        // SEQUENCE { [1] OCTET STRING }.
        let value = DER.Serializer.bytes { $0.sequence { $0.tagged(1) { $0.octetString(nonce) } } }
        form.add(Self.appleNonceExtension, value)
        return ["x5c": try path(form)]
    }
}
