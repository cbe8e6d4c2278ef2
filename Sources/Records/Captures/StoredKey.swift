internal import CBOR
internal import COSE
internal import Documents
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
        if let text = key.value?.text, text.contains("-----BEGIN") {
            return try cose(of: key, info: pem(text, key), number)
        }
        let bytes = try key.pasted()?.bytes ?? []
        // A SEQUENCE in DER; a COSE key is a map, whose first byte differs. No key has 64 bytes as SPKI, and a point may begin
        // with this byte.
        if bytes.first == 0x30, bytes.count != 64 { return try cose(of: key, info: bytes, number) }
        if let point = try point(key, bytes, number) { return point }
        do {
            _ = try COSE.PublicKey(cbor: CBOR.decode(bytes, options: .attestation))
        } catch COSE.KeyError.unsupportedAlgorithm {
            // The step of the signature reports it.
        } catch {
            throw key.wrong("is not a public key: \(error); give COSE or SPKI in base64url, or PEM")
        }
        return bytes
    }

    /// An uncompressed point of P-256 without its format, x ‖ y of 32 bytes each, also behind 0x04 (SEC 1 §2.3.3); nil for
    /// other bytes.
    ///
    /// Some apps store it, because their platform's key has that form.
    private static func point(
        _ key: CaptureMember, _ bytes: [UInt8], _ number: Int?
    ) throws(CaptureError) -> [UInt8]? {
        let remedy = "give COSE or SPKI in base64url, or PEM"
        switch (bytes.count, bytes.first) {
        case (65, 0x04), (64, _):
            let algorithm = COSE.Algorithm(rawValue: number ?? COSE.Algorithm.es256.rawValue)
            let map: CBOR.Map = [
                1: 2, 3: .integer(algorithm.rawValue), -1: 1, -2: .bytes(Array(bytes.suffix(64).prefix(32))),
                -3: .bytes(Array(bytes.suffix(32))),
            ]
            guard let read = try? COSE.PublicKey(cbor: .map(map)) else {
                throw key.wrong("has \(bytes.count) bytes, and is not a point of P-256 for \(algorithm); \(remedy)")
            }
            key.notes.add(
                "`\(key.path)` is a bare point of P-256 (x and y), not COSE or SPKI; it is read as a key for \(algorithm)"
            )
            return read.encoded
        case (33, 0x02), (33, 0x03):
            throw key.wrong("is a compressed point, from which a relying party has to compute y; \(remedy)")
        case (97, 0x04), (133, 0x04): throw key.wrong("is a bare point (x and y) without its algorithm; \(remedy)")
        case (32, _): throw key.wrong("is a bare key or coordinate of 32 bytes without its algorithm; \(remedy)")
        default: return nil
        }
    }

    private static func pem(_ text: String, _ key: CaptureMember) throws(CaptureError) -> [UInt8] {
        do {
            let documents = try PEMText.documents(in: text)
            guard let document = documents.first, documents.count == 1 else {
                throw key.wrong("has \(documents.count) documents in PEM; give the one of the key")
            }
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
