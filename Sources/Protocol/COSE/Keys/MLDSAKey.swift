internal import Crypto

#if canImport(Darwin)
/// A private ML-DSA key, of which Apple's systems have none here.
///
/// CryptoKit has the algorithm on the newest systems only.
enum MLDSAKey: Sendable {
    init(_ parameters: COSE.MLDSAParameters, seed: [UInt8]) throws {
        throw COSE.KeyError.unsupportedAlgorithm(parameters == .mlDSA65 ? .mlDSA65 : .mlDSA87)
    }

    var seed: [UInt8] { switch self {} }
    var publicKey: [UInt8] { switch self {} }

    func sign(_ message: [UInt8]) throws -> [UInt8] { switch self {} }

    static func verify(
        _ signature: [UInt8], over message: [UInt8], key: [UInt8], _ parameters: COSE.MLDSAParameters
    ) -> Bool { false }
}
#else
/// A private ML-DSA key (FIPS 204).
enum MLDSAKey: Sendable {
    case mlDSA65(MLDSA65.PrivateKey)
    case mlDSA87(MLDSA87.PrivateKey)

    /// A key from its seed ξ, 32 bytes.
    init(_ parameters: COSE.MLDSAParameters, seed: [UInt8]) throws {
        switch parameters {
        case .mlDSA65: self = .mlDSA65(try MLDSA65.PrivateKey(seedRepresentation: seed, publicKey: nil))
        case .mlDSA87: self = .mlDSA87(try MLDSA87.PrivateKey(seedRepresentation: seed, publicKey: nil))
        }
    }

    var seed: [UInt8] {
        switch self {
        case .mlDSA65(let key): Array(key.seedRepresentation)
        case .mlDSA87(let key): Array(key.seedRepresentation)
        }
    }

    /// The 1952 or 2592 bytes of the public half.
    var publicKey: [UInt8] {
        switch self {
        case .mlDSA65(let key): Array(key.publicKey.rawRepresentation)
        case .mlDSA87(let key): Array(key.publicKey.rawRepresentation)
        }
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch self {
        case .mlDSA65(let key): Array(try key.signature(for: message))
        case .mlDSA87(let key): Array(try key.signature(for: message))
        }
    }

    /// Whether a signature is that of a public key.
    static func verify(
        _ signature: [UInt8], over message: [UInt8], key: [UInt8], _ parameters: COSE.MLDSAParameters
    ) -> Bool {
        switch parameters {
        case .mlDSA65:
            (try? MLDSA65.PublicKey(rawRepresentation: key))?.isValidSignature(signature, for: message) == true
        case .mlDSA87:
            (try? MLDSA87.PublicKey(rawRepresentation: key))?.isValidSignature(signature, for: message) == true
        }
    }
}
#endif
