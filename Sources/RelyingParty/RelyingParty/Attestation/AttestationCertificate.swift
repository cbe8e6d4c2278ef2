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
            throw .failed([Self.reason(error, der)])
        }
    }

    /// The reason that a certificate cannot be used: its form, or an algorithm that is not supported.
    private static func reason(_ error: any Error, _ der: [UInt8]) -> Reason {
        let codes: [CertificateError.ErrorCode] = [.unsupportedPublicKeyAlgorithm, .unsupportedSignatureAlgorithm]
        if let code = (error as? CertificateError)?.code, codes.contains(code),
            let outline = try? CertificateOutline(der: der)
        {
            let isKey = code == .unsupportedPublicKeyAlgorithm
            let what = isKey ? "a key for \(outline.key.algorithm)" : "a signature by \(outline.signatureAlgorithm)"
            return Reason(
                .attestationAlgorithmUnsupported,
                "the certificate of \(outline.subject) has \(what), which is not supported in certificates")
        }
        return Reason(
            .attestationCertificateMalformed, "a certificate cannot be read: \(CertificateProblem.words(error))")
    }

    init(leafOf path: [[UInt8]]) throws(AttestationRefusal) { try self.init(der: path.first ?? []) }

    func holds(_ key: COSE.PublicKey) -> Bool { (try? self.key(for: key.algorithm)) == key }

    /// The certificate's key for an algorithm, which must match the key.
    func key(for algorithm: COSE.Algorithm) throws(COSE.KeyError) -> COSE.PublicKey {
        var serializer = DER.Serializer()
        do {
            try serializer.serialize(certificate.publicKey)
        } catch {
            throw .malformed("the certificate's key cannot be written: \(CertificateProblem.words(error))")
        }
        return try COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: serializer.serializedBytes)
    }
}
