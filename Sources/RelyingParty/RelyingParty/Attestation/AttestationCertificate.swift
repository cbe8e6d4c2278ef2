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

    /// The reason why a certificate's key cannot verify a statement.
    struct KeyProblem: Error {
        let reason: Reason
    }

    /// The certificate's key for an algorithm, which must match the key.
    func publicKey(for algorithm: COSE.Algorithm) -> Result<COSE.PublicKey, KeyProblem> {
        do {
            return .success(try key(for: algorithm))
        } catch .unsupportedAlgorithm {
            return .failure(
                KeyProblem(reason: Reason(.attestationAlgorithmUnsupported, "\(algorithm) is not supported")))
        } catch {
            let sentence = "the certificate's key is not for \(algorithm)"
            return .failure(KeyProblem(reason: Reason(.attestationAlgorithmMismatch, sentence)))
        }
    }

    /// Whether the certificate certifies this key.
    func holds(_ key: COSE.PublicKey) -> Bool {
        (try? self.key(for: key.algorithm)) == key
    }

    private func key(for algorithm: COSE.Algorithm) throws(COSE.KeyError) -> COSE.PublicKey {
        var serializer = DER.Serializer()
        do {
            try serializer.serialize(certificate.publicKey)
        } catch {
            throw .malformed("the certificate's key cannot be written: \(error)")
        }
        return try COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: serializer.serializedBytes)
    }
}
