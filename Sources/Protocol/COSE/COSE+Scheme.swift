extension COSE {
    /// The kind of key and the signing method of an algorithm identifier.
    enum Scheme: Sendable {
        case ecdsa(Curve, Digest)
        case edDSA(Curve)
        case rsa(RSAPadding, Digest)
        case mlDSA(MLDSAParameters)

        var keyType: KeyType {
            switch self {
            case .ecdsa: .ellipticCurve
            case .edDSA: .octetKeyPair
            case .rsa: .rsa
            case .mlDSA: .algorithmKeyPair
            }
        }
    }

    /// The RSA padding of a hash (RFC 8812 §2, RFC 8230 §2).
    enum RSAPadding: Sendable {
        case pkcs1
        /// With a salt as long as the hash.
        case pss
    }

    /// An ML-DSA parameter set (FIPS 204 §4).
    enum MLDSAParameters: Sendable {
        case mlDSA65
        case mlDSA87

        var publicKeyLength: Int {
            switch self {
            case .mlDSA65: 1952
            case .mlDSA87: 2592
            }
        }
    }
}

extension COSE.Algorithm {
    /// The scheme of this algorithm with the curve WebAuthn requires (WebAuthn L3 §5.8.5); nil if no build supports it.
    var knownScheme: COSE.Scheme? {
        switch self {
        case .es256, .esp256: .ecdsa(.p256, .sha256)
        case .es384, .esp384: .ecdsa(.p384, .sha384)
        case .es512, .esp512: .ecdsa(.p521, .sha512)
        case .es256K: .ecdsa(.secp256k1, .sha256)
        case .edDSA, .ed25519: .edDSA(.ed25519)
        case .ed448: .edDSA(.ed448)
        case .rs1: .rsa(.pkcs1, .sha1)
        case .rs256: .rsa(.pkcs1, .sha256)
        case .ps256: .rsa(.pss, .sha256)
        case .mlDSA65: .mlDSA(.mlDSA65)
        case .mlDSA87: .mlDSA(.mlDSA87)
        default: nil
        }
    }

    /// Whether ``COSE/PrivateKey/sign(_:mode:)`` can sign the same message with the same bytes each time.
    ///
    /// False for ML-DSA, whose library mixes system randomness into every signature, and for unsupported algorithms; without
    /// libcrypto also for ECDSA and PS256.
    public var signsDeterministically: Bool {
        switch scheme {
        case .ecdsa, .rsa(.pss, _): Self.libcryptoIsPresent
        case .edDSA, .rsa: true
        case .mlDSA, nil: false
        }
    }

    /// The hash of a message under the hash function the algorithm names, or nil where it names none or is unsupported.
    ///
    /// 20, 32, 48 or 64 bytes. EdDSA and ML-DSA sign messages whole.
    public func hash(of message: [UInt8]) -> [UInt8]? {
        switch scheme {
        case .ecdsa(_, let digest), .rsa(_, let digest): digest.hash(of: message)
        case .edDSA, .mlDSA, nil: nil
        }
    }
}
