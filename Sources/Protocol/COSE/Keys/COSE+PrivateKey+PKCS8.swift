internal import SwiftASN1

/// Private keys in PKCS #8 (RFC 5208, RFC 5958).
extension COSE.PrivateKey {
    /// The key as `PrivateKeyInfo` in DER: ECDSA keys as RFC 5915 has them, EdDSA as RFC 8410, RSA as RFC 8017, ML-DSA
    /// by its seed as RFC 9881.
    public var pkcs8Representation: [UInt8] {
        DER.Serializer.bytes {
            $0.sequence {
                $0.integer([])
                $0.serializeRawBytes(KeyIdentifier(publicKey.material, algorithm).encoded)
                $0.octetString(innerDER)
            }
        }
    }

    private var innerDER: [UInt8] {
        switch material {
        case .p256, .p384, .p521, .secp256k1:
            DER.Serializer.bytes {
                $0.sequence {
                    $0.integer([1])
                    $0.octetString(rawRepresentation)
                    $0.tagged(1) { $0.bitString(publicKey.rawRepresentation) }
                }
            }
        case .ed25519, .ed448: DER.Serializer.bytes { $0.octetString(rawRepresentation) }
        case .rsa: rawRepresentation
        case .mlDSA:
            DER.Serializer.bytes {
                $0.appendPrimitiveNode(identifier: KeyIdentifier.seed) { $0 += rawRepresentation }
            }
        }
    }

    /// A key from `PrivateKeyInfo` in DER, for the first algorithm that WebAuthn ties to keys of its kind: ES256, ES384,
    /// ES512, ES256K, EdDSA, Ed448, RS256, ML-DSA-65 or ML-DSA-87.
    ///
    /// - Throws: ``COSE/KeyError`` when the bytes are not a `PrivateKeyInfo`, the key is of another kind, or the public key beside it
    ///   is another one's.
    public init(pkcs8Representation bytes: [UInt8]) throws(COSE.KeyError) {
        let identifier: [UInt8]
        let inner: [UInt8]
        do {
            (identifier, inner) = try DER.sequence(try DER.parse(bytes), identifier: .sequence) { nodes in
                let version = try Int(derEncoded: &nodes)
                guard (0...1).contains(version), let algorithm = nodes.next() else {
                    throw ASN1Error.invalidASN1Object(reason: "there is no algorithm identifier")
                }
                let key = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
                // Attributes, and the public key of RFC 5958.
                while nodes.next() != nil {}
                return (Array(algorithm.encodedBytes), key)
            }
        } catch {
            throw .malformed("it is not a PrivateKeyInfo in DER: \(DERProblem.words(error))")
        }
        guard let form = KeyIdentifier.all.first(where: { $0.encoded == identifier }) else {
            throw .unknownAlgorithmIdentifier
        }
        let (raw, point) = try form.privateKey(inner)
        try self.init(algorithm: form.usualAlgorithm, rawRepresentation: raw)
        if let point, !publicKey.isAt(point) { throw .publicKeyMismatch }
    }
}

extension KeyIdentifier {
    /// The tag of an ML-DSA seed, `seed [0] IMPLICIT OCTET STRING` (RFC 9881 §6).
    fileprivate static let seed = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    fileprivate var usualAlgorithm: COSE.Algorithm {
        switch self {
        case .curve(.p256): .es256
        case .curve(.p384): .es384
        case .curve(.p521): .es512
        case .curve(.secp256k1): .es256K
        case .curve(.ed448): .ed448
        case .curve: .edDSA
        case .rsa: .rs256
        case .mlDSA(.mlDSA65): .mlDSA65
        case .mlDSA(.mlDSA87): .mlDSA87
        }
    }

    /// The ``COSE/PrivateKey/rawRepresentation`` of the key inside a `PrivateKeyInfo`, and the point of its public key, if there is one.
    fileprivate func privateKey(_ inner: [UInt8]) throws(COSE.KeyError) -> (raw: [UInt8], point: [UInt8]?) {
        do {
            switch self {
            case .rsa: return (inner, nil)
            case .curve(.ed25519), .curve(.ed448):
                return (Array(try ASN1OctetString(derEncoded: try DER.parse(inner)).bytes), nil)
            case .curve(let curve): return try Self.scalar(inner, length: curve.coordinateLength)
            case .mlDSA:
                let seed = try ASN1OctetString(derEncoded: try DER.parse(inner), withIdentifier: Self.seed)
                return (Array(seed.bytes), nil)
            }
        } catch {
            throw .invalidPrivateKey
        }
    }

    /// The tag of the public key in an `ECPrivateKey`, `[1] BIT STRING` (RFC 5915 §3).
    private static let publicKey = ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)

    /// The private key of an `ECPrivateKey`, as long as the curve's numbers are, and the point of its public key.
    private static func scalar(_ inner: [UInt8], length: Int) throws -> (raw: [UInt8], point: [UInt8]?) {
        var point: [UInt8]?
        let scalar = try DER.sequence(try DER.parse(inner), identifier: .sequence) { nodes in
            guard try Int(derEncoded: &nodes) == 1 else { throw COSE.KeyError.invalidPrivateKey }
            let scalar = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
            while let node = nodes.next() {
                guard node.identifier == publicKey, case .constructed(let children) = node.content,
                    let child = children.first(where: { _ in true })
                else { continue }
                point = Array(try ASN1BitString(derEncoded: child).bytes)
            }
            return scalar
        }
        guard scalar.count <= length else { throw COSE.KeyError.invalidPrivateKey }
        return (Array(repeating: 0, count: length - scalar.count) + scalar, point)
    }
}

extension COSE.PublicKey {
    /// Whether it is a point on a curve, in X9.62 uncompressed or compressed form (SEC 1 §2.3.3).
    fileprivate func isAt(_ point: [UInt8]) -> Bool {
        let own = rawRepresentation
        guard point.first != 4, let last = own.last else { return point == own }
        let length = (own.count - 1) / 2
        return point == [2 | last & 1] + own.dropFirst().prefix(length)
    }
}
