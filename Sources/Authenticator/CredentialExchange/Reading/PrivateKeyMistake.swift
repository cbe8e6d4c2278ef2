internal import COSE

/// The reason that bytes are not the private key of a passkey in PKCS #8.
enum PrivateKeyMistake: Error {
    case empty
    /// The bytes of a text in PEM.
    case pem
    /// 32 bytes, the bare number of a key on P-256.
    case bare
    case publicKey
    /// An `EncryptedPrivateKeyInfo`, or another structure.
    case otherStructure
    /// A key on a curve, or of an algorithm, that passkeys do not have.
    case otherKind
    /// A scalar, seed or RSA key that is not one.
    case invalid
    /// The public key beside the private key belongs to another one.
    case mismatch

    /// The key of a `PrivateKeyInfo` in DER (RFC 5208, RFC 5958).
    static func key(_ bytes: [UInt8]) throws(PrivateKeyMistake) -> COSE.PrivateKey {
        guard !bytes.isEmpty else { throw .empty }
        do throws(COSE.KeyError) {
            return try COSE.PrivateKey(pkcs8Representation: bytes)
        } catch {
            if bytes.starts(with: "-----BEGIN ".utf8) { throw .pem }
            if bytes.count == 32 { throw .bare }
            if isPublicKey(bytes) { throw .publicKey }
            switch error {
            case .publicKeyMismatch: throw .mismatch
            case .unknownAlgorithmIdentifier: throw .otherKind
            case .malformed: throw .otherStructure
            default: throw .invalid
            }
        }
    }

    private static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        let algorithms: [COSE.Algorithm] = [.es256, .es384, .es512, .es256K, .edDSA, .rs256]
        return algorithms.contains { (try? COSE.PublicKey(algorithm: $0, subjectPublicKeyInfo: bytes)) != nil }
    }

    /// The mistake and the remedy.
    var words: String {
        switch self {
        case .empty: "is empty; export the passkey with its private key"
        case .pem: "is PEM, not DER; write the bytes between its lines in base64url"
        case .bare: "is a bare number of 32 bytes; write the key as PKCS #8 in DER"
        case .publicKey: "is a public key; export the passkey with its private key"
        case .otherStructure: "is not a private key in PKCS #8 (DER, not encrypted); export the passkey again"
        case .otherKind:
            "is a key of a kind that passkeys do not have; keys on P-256, P-384, P-521, secp256k1, Ed25519 and Ed448, "
                + "RSA and ML-DSA keys are read"
        case .mismatch: "has a public key beside it that belongs to another one; export the passkey again"
        case .invalid: "holds no valid private key for its algorithm; export the passkey again"
        }
    }
}
