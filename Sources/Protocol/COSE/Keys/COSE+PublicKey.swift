internal import Crypto
internal import Foundation

extension COSE {
    /// A public key of a supported algorithm, with checked parameters.
    ///
    /// Points have been checked to lie on their curve; Ed25519, Ed448 and ML-DSA keys only for their length: invalid bytes
    /// verify nothing. RSA keys have a modulus of 2048 to 4096 bits.
    public struct PublicKey: Hashable, Sendable {
        /// The algorithm the key is for.
        public let algorithm: Algorithm
        /// The key itself.
        public let material: Material

        /// The parts of a key, by its COSE key type.
        public enum Material: Hashable, Sendable {
            /// A point of a curve with two coordinates, both big-endian in 32, 48 or 66 bytes.
            case ellipticCurve(Curve, x: [UInt8], y: [UInt8])
            /// An Ed25519 key of 32 bytes or an Ed448 key of 57.
            case octetKeyPair(Curve, x: [UInt8])
            /// An RSA key, both numbers big-endian without leading zeros.
            case rsa(modulus: [UInt8], exponent: [UInt8])
            /// An ML-DSA key of 1952 or 2592 bytes.
            case algorithmKeyPair([UInt8])

            var keyType: KeyType {
                switch self {
                case .ellipticCurve: .ellipticCurve
                case .octetKeyPair: .octetKeyPair
                case .rsa: .rsa
                case .algorithmKeyPair: .algorithmKeyPair
                }
            }
        }

        /// A key from its parts.
        ///
        /// - Throws: ``KeyError`` when the algorithm is unsupported, the material is not for it, a length is wrong, a
        ///   point is off its curve or an RSA number is out of range.
        public init(algorithm: Algorithm, material: Material) throws(KeyError) {
            guard let scheme = algorithm.scheme else { throw .unsupportedAlgorithm(algorithm) }
            switch (scheme, material) {
            case (.ecdsa(let expected, _), .ellipticCurve(let curve, let x, let y)):
                guard curve == expected else { throw .curveMismatch(algorithm, curve: curve.rawValue) }
                try Self.check(x, length: curve.coordinateLength, parameter: -2)
                try Self.check(y, length: curve.coordinateLength, parameter: -3)
                guard curve.contains(x963Representation: [0x04] + x + y) else { throw .notOnCurve }
            case (.edDSA(let expected), .octetKeyPair(let curve, let x)):
                guard curve == expected else { throw .curveMismatch(algorithm, curve: curve.rawValue) }
                try Self.check(x, length: curve.coordinateLength, parameter: -2)
            case (.rsa, .rsa(let modulus, let exponent)): try RSA.check(modulus: modulus, exponent: exponent)
            case (.mlDSA(let parameters), .algorithmKeyPair(let key)):
                try Self.check(key, length: parameters.publicKeyLength, parameter: -1)
            default:
                throw .keyTypeMismatch(algorithm, keyType: material.keyType.rawValue)
            }
            self.algorithm = algorithm
            self.material = material
        }

        /// The public half of a private key; unchecked, because the library that holds the private key made it.
        init(algorithm: Algorithm, derivedMaterial material: Material) {
            self.algorithm = algorithm
            self.material = material
        }

        /// An elliptic-curve key from its coordinates; `y` is empty for Ed25519 and Ed448.
        ///
        /// - Throws: ``KeyError`` when the algorithm is unsupported or has no curve, a length is wrong or the point is
        ///   off its curve.
        public init(algorithm: Algorithm, x: [UInt8], y: [UInt8] = []) throws(KeyError) {
            switch algorithm.scheme {
            case .edDSA(let curve):
                try Self.check(y, length: 0, parameter: -3)
                try self.init(algorithm: algorithm, material: .octetKeyPair(curve, x: x))
            case .ecdsa(let curve, _): try self.init(algorithm: algorithm, material: .ellipticCurve(curve, x: x, y: y))
            case .rsa, .mlDSA: throw .keyTypeMismatch(algorithm, keyType: KeyType.ellipticCurve.rawValue)
            case nil: throw .unsupportedAlgorithm(algorithm)
            }
        }

        /// The curve its point lies on; nil for RSA and ML-DSA.
        public var curve: Curve? {
            switch material {
            case .ellipticCurve(let curve, _, _), .octetKeyPair(let curve, _): curve
            case .rsa, .algorithmKeyPair: nil
            }
        }

        /// The x coordinate, big-endian, or the whole key for Ed25519 and Ed448; empty for RSA and ML-DSA.
        public var x: [UInt8] {
            switch material {
            case .ellipticCurve(_, let x, _), .octetKeyPair(_, let x): x
            case .rsa, .algorithmKeyPair: []
            }
        }

        /// The y coordinate, big-endian; empty for keys other than points with two coordinates.
        public var y: [UInt8] { if case .ellipticCurve(_, _, let y) = material { y } else { [] } }

        private static func check(_ bytes: [UInt8], length: Int, parameter: Int) throws(KeyError) {
            guard bytes.count == length else {
                throw .wrongLength(parameter: parameter, expected: length, found: bytes.count)
            }
        }
    }
}

extension COSE.Curve {
    /// Whether 0x04 ‖ x ‖ y names a point of this curve; false for the curves of EdDSA.
    fileprivate func contains(x963Representation point: [UInt8]) -> Bool {
        switch self {
        case .p256: (try? P256.Signing.PublicKey(x963Representation: point)) != nil
        case .p384: (try? P384.Signing.PublicKey(x963Representation: point)) != nil
        case .p521: (try? P521.Signing.PublicKey(x963Representation: point)) != nil
        case .secp256k1: LibcryptoKey.isSecp256k1Point(point)
        case .ed25519, .ed448: false
        }
    }
}
