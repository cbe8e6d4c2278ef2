internal import Crypto
internal import CryptoExtras
internal import Foundation

extension COSE {
    /// A private key of a supported algorithm.
    ///
    /// Its description never shows the key.
    public struct PrivateKey: Sendable {
        /// The algorithm the key is for.
        public let algorithm: Algorithm
        private let content: PrivateKeyContent

        /// The public half.
        public var publicKey: PublicKey { content.publicKey }
        var material: Material { content.material }

        enum Material: Sendable {
            case p256(P256.Signing.PrivateKey)
            case p384(P384.Signing.PrivateKey)
            case p521(P521.Signing.PrivateKey)
            case secp256k1(scalar: [UInt8])
            case ed25519(Curve25519.Signing.PrivateKey)
            case ed448(seed: [UInt8])
            case rsa(_RSA.Signing.PrivateKey)
            case mlDSA(MLDSAKey)
        }

        /// A key from its stored form.
        ///
        /// | algorithms | form |
        /// |---|---|
        /// | ECDSA | the scalar, big-endian in 32, 48 or 66 bytes |
        /// | Ed25519, Ed448 | the seed, 32 or 57 bytes |
        /// | ML-DSA | the seed ξ, 32 bytes |
        /// | RS256, PS256 | `RSAPrivateKey` in DER (RFC 8017 §A.1.2), about 1,200 bytes; PKCS #8 is read too |
        ///
        /// - Throws: ``KeyError/unsupportedAlgorithm(_:)`` or ``KeyError/invalidPrivateKey``.
        public init(algorithm: Algorithm, rawRepresentation: [UInt8]) throws(KeyError) {
            guard let scheme = algorithm.scheme else { throw .unsupportedAlgorithm(algorithm) }
            if scheme.acceptsPrivateKey(rawRepresentation) {
                self.init(algorithm, PrivateKeyContent(algorithm, scheme, checked: rawRepresentation))
                return
            }
            do {
                try self.init(algorithm: algorithm, material: Material(scheme, rawRepresentation))
            } catch {
                throw .invalidPrivateKey
            }
        }

        /// An RSA key from its two primes, big-endian, with the public exponent 65537.
        ///
        /// - Throws: ``KeyError/unsupportedAlgorithm(_:)`` unless it is RSA's and the build has libcrypto, or
        ///   ``KeyError/invalidPrivateKey``.
        public init(algorithm: Algorithm, primes: ([UInt8], [UInt8])) throws(KeyError) {
            guard case .rsa = algorithm.scheme else { throw .unsupportedAlgorithm(algorithm) }
            #if SYSTEM_LIBRARIES
            do {
                try self.init(algorithm: algorithm, material: .rsa(try RSA.key(primes: primes.0, primes.1)))
            } catch {
                throw .invalidPrivateKey
            }
            #else
            throw .unsupportedAlgorithm(algorithm)
            #endif
        }

        init(algorithm: Algorithm, material: Material) throws {
            self.init(algorithm, try PrivateKeyContent(algorithm, material))
        }

        private init(_ algorithm: Algorithm, _ content: PrivateKeyContent) {
            self.algorithm = algorithm
            self.content = content
        }

        /// The stored form, which ``init(algorithm:rawRepresentation:)`` reads.
        public var rawRepresentation: [UInt8] { content.rawRepresentation }
    }
}

extension COSE.PrivateKey.Material {
    var rawRepresentation: [UInt8] {
        switch self {
        case .p256(let key): Array(key.rawRepresentation)
        case .p384(let key): Array(key.rawRepresentation)
        case .p521(let key): Array(key.rawRepresentation)
        case .secp256k1(let scalar): scalar
        case .ed25519(let key): Array(key.rawRepresentation)
        case .ed448(let seed): seed
        case .rsa(let key): Array(key.derRepresentation)
        case .mlDSA(let key): key.seed
        }
    }
}

extension COSE.PrivateKey: CustomStringConvertible {
    /// The algorithm and the words "private key".
    public var description: String { "\(algorithm) private key" }
}

extension COSE.PrivateKey.Material {
    init(_ scheme: COSE.Scheme, _ bytes: [UInt8]) throws {
        switch scheme {
        case .ecdsa(.p256, _): self = .p256(try P256.Signing.PrivateKey(rawRepresentation: bytes))
        case .ecdsa(.p384, _): self = .p384(try P384.Signing.PrivateKey(rawRepresentation: bytes))
        case .ecdsa(.p521, _): self = .p521(try P521.Signing.PrivateKey(rawRepresentation: bytes))
        case .ecdsa: self = .secp256k1(scalar: bytes)
        case .edDSA(.ed448): self = .ed448(seed: bytes)
        case .edDSA: self = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes))
        case .rsa: self = .rsa(try _RSA.Signing.PrivateKey(derRepresentation: bytes))
        case .mlDSA(let parameters): self = .mlDSA(try MLDSAKey(parameters, seed: bytes))
        }
    }

    func publicKey(for algorithm: COSE.Algorithm) throws -> COSE.PublicKey {
        switch self {
        case .p256(let key): try key.publicKey.rawRepresentation.withUnsafeBytes { try Self.point($0, algorithm) }
        case .p384(let key): try key.publicKey.rawRepresentation.withUnsafeBytes { try Self.point($0, algorithm) }
        case .p521(let key): try key.publicKey.rawRepresentation.withUnsafeBytes { try Self.point($0, algorithm) }
        case .secp256k1(let scalar):
            try LibcryptoKey.secp256k1PublicKey(scalar: scalar).withUnsafeBytes { try Self.point($0, algorithm) }
        case .ed25519(let key): try COSE.PublicKey(algorithm: algorithm, x: Array(key.publicKey.rawRepresentation))
        case .ed448(let seed): try COSE.PublicKey(algorithm: algorithm, x: try LibcryptoKey.ed448PublicKey(seed: seed))
        case .rsa(let key): try Self.rsaKey(try key.publicKey.getKeyPrimitives(), algorithm)
        case .mlDSA(let key): try COSE.PublicKey(algorithm: algorithm, material: .algorithmKeyPair(key.publicKey))
        }
    }

    /// A key from x ‖ y.
    private static func point(_ bytes: UnsafeRawBufferPointer, _ algorithm: COSE.Algorithm) throws -> COSE.PublicKey {
        guard case .ecdsa(let curve, _) = algorithm.scheme else { throw COSE.KeyError.unsupportedAlgorithm(algorithm) }
        let length = bytes.count / 2
        return COSE.PublicKey(
            algorithm: algorithm,
            derivedMaterial: .ellipticCurve(curve, x: Array(bytes.prefix(length)), y: Array(bytes.suffix(length))))
    }

    private static func rsaKey(
        _ numbers: _RSA.Signing.PublicKey.Primitives, _ algorithm: COSE.Algorithm
    ) throws -> COSE.PublicKey {
        let modulus = Array(numbers.modulus.drop { $0 == 0 })
        let exponent = Array(numbers.publicExponent.drop { $0 == 0 })
        return try COSE.PublicKey(algorithm: algorithm, material: .rsa(modulus: modulus, exponent: exponent))
    }
}
