internal import COSE
internal import SwiftASN1
internal import X509

/// An attestation certificate, read strictly from DER.
struct AttestationCertificate {
    let certificate: Certificate

    /// Reads a certificate; bytes after its end are an error.
    init(der: [UInt8]) throws(AttestationRefusal) {
        do {
            certificate = try Certificate(derEncoded: der)
        } catch {
            throw .failed([Reason(.attestationCertificateMalformed, "a certificate cannot be read: \(error)")])
        }
    }

    init(leafOf path: [[UInt8]]) throws(AttestationRefusal) { try self.init(der: path.first ?? []) }

    func holds(_ key: COSE.PublicKey) -> Bool { (try? self.key(for: key.algorithm)) == key }

    /// The certificate's key for an algorithm, which must match the key.
    func key(for algorithm: COSE.Algorithm) throws(COSE.KeyError) -> COSE.PublicKey {
        var serializer = DER.Serializer()
        do {
            try serializer.serialize(certificate.publicKey)
        } catch {
            throw .malformed("the certificate's key cannot be written: \(error)")
        }
        return try COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: serializer.serializedBytes)
    }
}
