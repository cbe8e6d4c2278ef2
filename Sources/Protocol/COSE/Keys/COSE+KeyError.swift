extension COSE {
    /// The reason a COSE key is refused.
    public enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The key is not a CBOR map, or a parameter has the wrong type.
        case malformed(String)
        /// The public key beside a private key belongs to another one.
        case publicKeyMismatch
        /// The algorithm identifier of a key in DER names no algorithm of this module.
        case unknownAlgorithmIdentifier
        /// A required parameter is missing; the associated value is its label.
        case missingParameter(Int)
        /// A parameter that WebAuthn forbids in a credential public key (§6.5.1.1); the label, as text.
        case unexpectedParameter(String)
        /// The algorithm is not supported.
        case unsupportedAlgorithm(Algorithm)
        /// The key type does not belong to the algorithm.
        case keyTypeMismatch(Algorithm, keyType: Int)
        /// The curve does not belong to the algorithm.
        case curveMismatch(Algorithm, curve: Int)
        /// A coordinate has the wrong number of bytes.
        case wrongLength(parameter: Int, expected: Int, found: Int)
        /// The point is in compressed form, which WebAuthn forbids (§5.8.5).
        case compressedPoint
        /// The coordinates name no point on the curve.
        case notOnCurve
        /// An RSA modulus is shorter than 2048 or longer than 4096 bits.
        case modulusSize(bits: Int)
        /// An RSA number is written with leading zeros; the label.
        case leadingZero(parameter: Int)
        /// The private key is not a valid scalar, seed or RSA key for its algorithm.
        case invalidPrivateKey
        /// The algorithm cannot sign the same message the same way twice (``Algorithm/signsDeterministically``).
        case randomizedOnly(Algorithm)

        /// The reason in words.
        public var description: String {
            switch self {
            case .malformed(let detail): "the COSE key is malformed: \(detail)"
            case .unknownAlgorithmIdentifier:
                "the COSE key is malformed: its algorithm identifier is not one this module knows"
            case .publicKeyMismatch: "the public key beside the private key belongs to another one"
            case .missingParameter(let label): "the COSE key lacks parameter \(label)"
            case .unexpectedParameter(let label): "the COSE key carries parameter \(label), which is not allowed"
            case .unsupportedAlgorithm(let algorithm): algorithm.absence ?? "\(algorithm) is not supported"
            case .keyTypeMismatch(let algorithm, let keyType): "key type \(keyType) does not belong to \(algorithm)"
            case .curveMismatch(let algorithm, let curve): "curve \(curve) does not belong to \(algorithm)"
            case .wrongLength(let label, let expected, let found):
                "COSE key parameter \(label) has \(found) bytes, not \(expected)"
            case .compressedPoint: "the COSE key holds a compressed point"
            case .notOnCurve: "the COSE key's point is not on its curve"
            case .modulusSize(let bits): "the RSA modulus has \(bits) bits, not 2048 to 4096"
            case .leadingZero(let label): "COSE key parameter \(label) has leading zeros"
            case .invalidPrivateKey: "the private key is not valid for its algorithm"
            case .randomizedOnly(let algorithm):
                "\(algorithm) signatures are always randomized"
                    + (COSE.Algorithm.libcryptoIsPresent ? "" : " in a build without libcrypto")
            }
        }
    }
}
