internal import CBOR
internal import COSE
internal import SwiftASN1

/// A stored public key as relying parties keep it: COSE, or `SubjectPublicKeyInfo` as DER or PEM.
enum StoredKey {
    /// The key as COSE CBOR.
    ///
    /// - Parameters:
    ///   - key: COSE or `SubjectPublicKeyInfo` in base64url, or PEM.
    ///   - algorithm: the COSE number of a `SubjectPublicKeyInfo`'s algorithm, as `publicKeyAlgorithm` of `toJSON()`
    ///     gives it; absent for the usual one of its kind.
    static func cose(of key: CaptureMember, algorithm: CaptureMember) throws(CaptureError) -> [UInt8] {
        let number = try algorithm.number(Int(Int32.min)...Int(Int32.max))
        if let text = try key.text(), text.contains("-----BEGIN") {
            return try cose(of: key, info: pem(text, key), number)
        }
        let bytes = try key.bytes() ?? []
        // A SEQUENCE in DER; a COSE key is a map, whose first byte differs.
        if bytes.first == 0x30 { return try cose(of: key, info: bytes, number) }
        do {
            _ = try COSE.PublicKey(cbor: CBOR.decode(bytes, options: .attestation))
        } catch COSE.KeyError.unsupportedAlgorithm {
            // The step of the signature reports it.
        } catch {
            throw key.wrong("is not a public key: \(error); give COSE or SPKI in base64url, or PEM")
        }
        return bytes
    }

    private static func pem(_ text: String, _ key: CaptureMember) throws(CaptureError) -> [UInt8] {
        do {
            let document = try PEMDocument(pemString: text)
            guard document.discriminator == "PUBLIC KEY" else {
                throw key.wrong("is a PEM of \(document.discriminator); give one of PUBLIC KEY")
            }
            return document.derBytes
        } catch let error as CaptureError {
            throw error
        } catch {
            throw key.wrong("is not PEM: \(DERProblem.words(error))")
        }
    }

    private static func cose(
        of key: CaptureMember, info bytes: [UInt8], _ number: Int?
    ) throws(CaptureError) -> [UInt8] {
        let algorithms = number.map { [COSE.Algorithm(rawValue: $0)] } ?? COSE.Algorithm.supported
        for algorithm in algorithms {
            if let key = try? COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: bytes) { return key.encoded }
        }
        let kind = number == nil ? "a supported algorithm" : "\(algorithms[0]), which publicKeyAlgorithm names"
        throw key.wrong("is not the SPKI of a public key for \(kind)")
    }
}
