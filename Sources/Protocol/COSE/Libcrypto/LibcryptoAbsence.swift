#if !SYSTEM_LIBRARIES
/// The keys of secp256k1 and Ed448 in a build without libcrypto, which refuses them before they get here.
enum LibcryptoKey {
    case secp256k1Private(scalar: [UInt8])
    case secp256k1Public(subjectPublicKeyInfo: [UInt8])
    case ed448Private(seed: [UInt8])
    case ed448Public([UInt8])

    private var algorithm: COSE.Algorithm {
        switch self {
        case .secp256k1Private, .secp256k1Public: .es256K
        case .ed448Private, .ed448Public: .ed448
        }
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] { throw COSE.KeyError.unsupportedAlgorithm(algorithm) }

    func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool { false }

    static func ed448PublicKey(seed: [UInt8]) throws -> [UInt8] { throw COSE.KeyError.unsupportedAlgorithm(.ed448) }

    static func secp256k1PublicKey(scalar: [UInt8]) throws -> [UInt8] {
        throw COSE.KeyError.unsupportedAlgorithm(.es256K)
    }

    static func isSecp256k1Point(_ point: [UInt8]) -> Bool { false }
}
#endif
