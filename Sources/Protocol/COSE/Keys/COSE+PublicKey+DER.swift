internal import SwiftASN1

/// Keys in the form of X.509 certificates.
extension COSE.PublicKey {
    /// 0x04 ‖ x ‖ y (ANSI X9.63), the bytes of an Ed25519, Ed448 or ML-DSA key, or `RSAPublicKey` in DER (RFC 8017
    /// §A.1.1): the content of the bit string of ``subjectPublicKeyInfo``.
    public var rawRepresentation: [UInt8] {
        switch material {
        case .ellipticCurve(_, let x, let y): [0x04] + x + y
        case .octetKeyPair(_, let x): x
        case .rsa(let modulus, let exponent): RSA.publicKeyDER(modulus: modulus, exponent: exponent)
        case .algorithmKeyPair(let key): key
        }
    }

    /// The key as `SubjectPublicKeyInfo` in DER (RFC 5280 §4.1.2.7): the result of WebAuthn's `getPublicKey()`.
    public var subjectPublicKeyInfo: [UInt8] {
        DER.Serializer.bytes {
            $0.sequence {
                $0.serializeRawBytes(KeyIdentifier(material, algorithm).encoded)
                $0.bitString(rawRepresentation)
            }
        }
    }

    /// A key from `SubjectPublicKeyInfo` in DER, such as a certificate's.
    ///
    /// - Throws: ``COSE/KeyError`` when the bytes are not one, or the key is not one for the algorithm.
    public init(algorithm: COSE.Algorithm, subjectPublicKeyInfo bytes: [UInt8]) throws(COSE.KeyError) {
        guard let scheme = algorithm.scheme else { throw .unsupportedAlgorithm(algorithm) }
        let identifier: [UInt8]
        let key: [UInt8]
        do {
            (identifier, key) = try DER.sequence(try DER.parse(bytes), identifier: .sequence) { nodes in
                guard let identifier = nodes.next() else {
                    throw ASN1Error.invalidASN1Object(reason: "there is no algorithm identifier")
                }
                return (Array(identifier.encodedBytes), Array(try ASN1BitString(derEncoded: &nodes).bytes))
            }
        } catch {
            throw .malformed("it is not a SubjectPublicKeyInfo in DER: \(DERProblem.words(error))")
        }
        guard let form = KeyIdentifier.all.first(where: { $0.encoded == identifier }) else {
            throw .unknownAlgorithmIdentifier
        }
        guard form.keyType == scheme.keyType else { throw .keyTypeMismatch(algorithm, keyType: form.keyType.rawValue) }
        try self.init(algorithm: algorithm, material: try form.material(key, algorithm))
    }
}

/// The kind of key an `AlgorithmIdentifier` of a `SubjectPublicKeyInfo` states.
enum KeyIdentifier {
    case curve(COSE.Curve)
    case rsa
    case mlDSA(COSE.MLDSAParameters)

    static let all: [KeyIdentifier] =
        [COSE.Curve.p256, .p384, .p521, .secp256k1, .ed25519, .ed448].map(KeyIdentifier.curve) + [
            .rsa, .mlDSA(.mlDSA65), .mlDSA(.mlDSA87),
        ]

    init(_ material: COSE.PublicKey.Material, _ algorithm: COSE.Algorithm) {
        switch material {
        case .ellipticCurve(let curve, _, _), .octetKeyPair(let curve, _): self = .curve(curve)
        case .rsa: self = .rsa
        case .algorithmKeyPair: self = .mlDSA(algorithm == .mlDSA65 ? .mlDSA65 : .mlDSA87)
        }
    }

    var keyType: COSE.KeyType {
        switch self {
        case .curve(let curve): curve.keyType
        case .rsa: .rsa
        case .mlDSA: .algorithmKeyPair
        }
    }

    /// The identifier in DER (RFC 5480 §2.1.1, RFC 8410 §3, RFC 8017 §A.1, RFC 9881 §2).
    var encoded: [UInt8] {
        DER.Serializer.bytes {
            $0.sequence {
                if keyType == .ellipticCurve { $0.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]) }
                $0.objectIdentifier(objectIdentifier)
                if keyType == .rsa { $0.null() }
            }
        }
    }

    /// The encoded components of the key type's, or the curve's, object identifier.
    private var objectIdentifier: [UInt8] {
        switch self {
        case .curve(.p256): [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .curve(.p384): [0x2B, 0x81, 0x04, 0x00, 0x22]
        case .curve(.p521): [0x2B, 0x81, 0x04, 0x00, 0x23]
        case .curve(.secp256k1): Self.secp256k1
        case .curve(.ed25519): [0x2B, 0x65, 0x70]
        case .curve(.ed448): [0x2B, 0x65, 0x71]
        case .rsa: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        case .mlDSA(.mlDSA65): [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12]
        case .mlDSA(.mlDSA87): [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x13]
        }
    }

    static let secp256k1: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x0A]

    func material(_ key: [UInt8], _ algorithm: COSE.Algorithm) throws(COSE.KeyError) -> COSE.PublicKey.Material {
        switch self {
        case .curve(let curve):
            guard curve.keyType == .ellipticCurve else { return .octetKeyPair(curve, x: key) }
            if let first = key.first, first == 0x02 || first == 0x03 { throw .compressedPoint }
            let length = curve.coordinateLength
            guard key.count == 1 + 2 * length, key[0] == 0x04 else { throw .malformed("it holds no point") }
            return .ellipticCurve(curve, x: Array(key[1...length]), y: Array(key[(1 + length)...]))
        case .rsa:
            let numbers = try RSA.publicNumbers(der: key)
            return .rsa(modulus: numbers.modulus, exponent: numbers.exponent)
        case .mlDSA(let parameters):
            guard case .mlDSA(let expected) = algorithm.scheme, expected == parameters else {
                throw .malformed("it is an ML-DSA key of another parameter set")
            }
            return .algorithmKeyPair(key)
        }
    }
}
