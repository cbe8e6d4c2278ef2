internal import Crypto
internal import Foundation

extension COSE {
    /// A private key of a supported algorithm.
    ///
    /// Its description never shows the key.
    public struct PrivateKey: Sendable {
        /// The algorithm the key is for.
        public let algorithm: Algorithm
        /// The public half.
        public let publicKey: PublicKey
        private let material: Material

        private enum Material: Sendable {
            case p256(P256.Signing.PrivateKey)
            case p384(P384.Signing.PrivateKey)
            case p521(P521.Signing.PrivateKey)
            case ed25519(Curve25519.Signing.PrivateKey)
        }

        /// A key from its scalar, big-endian in 32, 48 or 66 bytes, or from its 32-byte Ed25519 seed.
        ///
        /// - Throws: ``KeyError/unsupportedAlgorithm(_:)`` or ``KeyError/invalidPrivateKey``.
        public init(algorithm: Algorithm, rawRepresentation: [UInt8]) throws(KeyError) {
            guard let curve = algorithm.curve else { throw .unsupportedAlgorithm(algorithm) }
            let material: Material
            do {
                switch curve {
                case .p256: material = .p256(try P256.Signing.PrivateKey(rawRepresentation: rawRepresentation))
                case .p384: material = .p384(try P384.Signing.PrivateKey(rawRepresentation: rawRepresentation))
                case .p521: material = .p521(try P521.Signing.PrivateKey(rawRepresentation: rawRepresentation))
                case .ed25519:
                    material = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation))
                }
            } catch {
                throw .invalidPrivateKey
            }
            self.algorithm = algorithm
            self.material = material
            self.publicKey = try Self.publicKey(of: material, algorithm: algorithm, curve: curve)
        }

        /// Makes a new key from random bytes.
        ///
        /// - Parameter randomBytes: returns that many random bytes; a seeded source gives the same key each time.
        /// - Throws: ``KeyError/unsupportedAlgorithm(_:)``, or ``KeyError/invalidPrivateKey`` when the source keeps
        ///   returning bytes that are no scalar, as a broken source would.
        public static func generate(
            _ algorithm: Algorithm, randomBytes: (Int) -> [UInt8]
        ) throws(KeyError) -> PrivateKey {
            guard let curve = algorithm.curve else { throw .unsupportedAlgorithm(algorithm) }
            // A random string is a valid scalar all but always; P-521 uses only one bit of its first byte.
            for _ in 0..<64 {
                var candidate = randomBytes(curve.coordinateLength)
                if curve == .p521, !candidate.isEmpty { candidate[0] &= 0x01 }
                if let key = try? PrivateKey(algorithm: algorithm, rawRepresentation: candidate) { return key }
            }
            throw .invalidPrivateKey
        }

        /// The scalar or seed this key was made from.
        public var rawRepresentation: [UInt8] {
            switch material {
            case .p256(let key): Array(key.rawRepresentation)
            case .p384(let key): Array(key.rawRepresentation)
            case .p521(let key): Array(key.rawRepresentation)
            case .ed25519(let key): Array(key.rawRepresentation)
            }
        }

        /// Signs a message: an ECDSA signature in DER, or the 64 bytes of an Ed25519 signature.
        ///
        /// - Throws: the library's error, when it cannot sign.
        public func sign(_ message: [UInt8]) throws -> [UInt8] {
            switch material {
            case .p256(let key): Array(try key.signature(for: SHA256.hash(data: message)).derRepresentation)
            case .p384(let key): Array(try key.signature(for: SHA384.hash(data: message)).derRepresentation)
            case .p521(let key): Array(try key.signature(for: SHA512.hash(data: message)).derRepresentation)
            case .ed25519(let key): Array(try key.signature(for: message))
            }
        }

        private static func publicKey(
            of material: Material, algorithm: Algorithm, curve: Curve
        ) throws(KeyError) -> PublicKey {
            let point: [UInt8] =
                switch material {
                case .p256(let key): Array(key.publicKey.x963Representation)
                case .p384(let key): Array(key.publicKey.x963Representation)
                case .p521(let key): Array(key.publicKey.x963Representation)
                case .ed25519(let key): Array(key.publicKey.rawRepresentation)
                }
            if curve == .ed25519 { return try PublicKey(algorithm: algorithm, x: point) }
            let length = curve.coordinateLength
            return try PublicKey(
                algorithm: algorithm, x: Array(point[1..<1 + length]), y: Array(point[(1 + length)...]))
        }
    }
}

extension COSE.PrivateKey: CustomStringConvertible {
    public var description: String { "\(algorithm) private key" }
}
