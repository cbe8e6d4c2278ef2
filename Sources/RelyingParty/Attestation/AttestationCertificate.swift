internal import COSE
internal import Crypto
internal import SwiftASN1
internal import X509

/// An attestation certificate, read strictly from DER.
struct AttestationCertificate {
    let certificate: Certificate

    /// Reads a certificate that fills the bytes.
    init(der: [UInt8]) throws(AttestationRefusal) {
        do {
            certificate = try Certificate(derEncoded: der)
        } catch {
            throw .failed([Reason(.attestationCertificateMalformed, "a certificate cannot be read: \(error)")])
        }
    }

    /// Why a certificate's key cannot verify a statement.
    struct KeyProblem: Error {
        let reason: Reason
    }

    /// The certificate's key, for an algorithm that must belong to it.
    func publicKey(for algorithm: COSE.Algorithm) -> Result<COSE.PublicKey, KeyProblem> {
        do {
            return .success(try COSE.PublicKey(algorithm: algorithm, x: coordinates.x, y: coordinates.y))
        } catch .unsupportedAlgorithm {
            return .failure(
                KeyProblem(reason: Reason(.attestationAlgorithmUnsupported, "\(algorithm) is not supported")))
        } catch {
            let sentence = "the certificate's key is not one for \(algorithm)"
            return .failure(KeyProblem(reason: Reason(.attestationAlgorithmMismatch, sentence)))
        }
    }

    /// The point's coordinates; empty for a key that is no point of a curve known here.
    private var coordinates: (x: [UInt8], y: [UInt8]) {
        if let key = Curve25519.Signing.PublicKey(certificate.publicKey) {
            return (Array(key.rawRepresentation), [])
        }
        let point: [UInt8] =
            if let key = P256.Signing.PublicKey(certificate.publicKey) {
                Array(key.rawRepresentation)
            } else if let key = P384.Signing.PublicKey(certificate.publicKey) {
                Array(key.rawRepresentation)
            } else if let key = P521.Signing.PublicKey(certificate.publicKey) {
                Array(key.rawRepresentation)
            } else {
                []
            }
        return (Array(point.prefix(point.count / 2)), Array(point.suffix(point.count / 2)))
    }
}
