extension COSE.Algorithm {
    /// The algorithm's name in FIDO metadata (FIDO Registry of Predefined Values 2.2 §3.6.1); nil if it has none.
    package var registeredName: String? {
        switch self {
        case .es256, .esp256: "secp256r1_ecdsa_sha256_raw"
        case .es384, .esp384: "secp384r1_ecdsa_sha384_raw"
        case .es512, .esp512: "secp521r1_ecdsa_sha512_raw"
        case .es256K: "secp256k1_ecdsa_sha256_raw"
        case .edDSA, .ed25519: "ed25519_eddsa_sha512_raw"
        case .ed448: "ed448_eddsa_sha512_raw"
        case .rs256: "rsassa_pkcsv15_sha256_raw"
        case .rs1: "rsassa_pkcsv15_sha1_raw"
        case .ps256: "rsassa_pss_sha256_raw"
        default: nil
        }
    }
}
