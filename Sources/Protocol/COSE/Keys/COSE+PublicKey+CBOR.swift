public import CBOR

/// A key as CBOR: `{1: kty, 3: alg, …}` with the parameters of its key type.
///
/// | kty | parameters |
/// |---|---|
/// | 2, EC2 | `-1: crv, -2: x, -3: y` |
/// | 1, OKP | `-1: crv, -2: x` |
/// | 3, RSA | `-1: n, -2: e` |
/// | 7, AKP | `-1: pub` |
extension COSE.PublicKey {
    /// A key from its CBOR form, under the rules of WebAuthn L3 §5.8.5 and §6.5.1.1.
    ///
    /// - Throws: ``COSE/KeyError``.
    public init(cbor: CBOR.Value) throws(COSE.KeyError) {
        guard case .map(let map) = cbor else { throw .malformed("it is a \(cbor.kind.rawValue), not a map") }
        let keyType = try Self.integer(map, 1)
        let algorithm = COSE.Algorithm(rawValue: try Self.integer(map, 3))
        // No credential has RS1; only a TPM's attestation key does, whose key is in a certificate.
        guard let scheme = algorithm.scheme, algorithm != .rs1 else { throw .unsupportedAlgorithm(algorithm) }
        guard keyType == scheme.keyType.rawValue else { throw .keyTypeMismatch(algorithm, keyType: keyType) }
        switch scheme {
        case .ecdsa(let curve, _):
            try Self.check(map, curve: curve, algorithm: algorithm)
            try Self.check(map, labels: [1, 3, -1, -2, -3])
            let x = try Self.bytes(map, -2)
            if case .bool = map[-3] { throw .compressedPoint }
            let y = try Self.bytes(map, -3)
            try self.init(algorithm: algorithm, material: .ellipticCurve(curve, x: x, y: y))
        case .edDSA(let curve):
            try Self.check(map, curve: curve, algorithm: algorithm)
            try Self.check(map, labels: [1, 3, -1, -2])
            try self.init(algorithm: algorithm, material: .octetKeyPair(curve, x: try Self.bytes(map, -2)))
        case .rsa:
            try Self.check(map, labels: [1, 3, -1, -2])
            let (modulus, exponent) = (try Self.bytes(map, -1), try Self.bytes(map, -2))
            try self.init(algorithm: algorithm, material: .rsa(modulus: modulus, exponent: exponent))
        case .mlDSA:
            try Self.check(map, labels: [1, 3, -1])
            try self.init(algorithm: algorithm, material: .algorithmKeyPair(try Self.bytes(map, -1)))
        }
    }

    /// The key's CBOR form.
    public var cbor: CBOR.Value {
        let type = CBOR.Value.integer(material.keyType.rawValue)
        let algorithm = CBOR.Value.integer(algorithm.rawValue)
        return switch material {
        case .ellipticCurve(let curve, let x, let y):
            [1: type, 3: algorithm, -1: .integer(curve.rawValue), -2: .bytes(x), -3: .bytes(y)]
        case .octetKeyPair(let curve, let x): [1: type, 3: algorithm, -1: .integer(curve.rawValue), -2: .bytes(x)]
        case .rsa(let modulus, let exponent): [1: type, 3: algorithm, -1: .bytes(modulus), -2: .bytes(exponent)]
        case .algorithmKeyPair(let key): [1: type, 3: algorithm, -1: .bytes(key)]
        }
    }

    /// The key's canonical CBOR encoding.
    public var encoded: [UInt8] { CBOR.encode(cbor) }

    private static func check(_ map: CBOR.Map, curve: COSE.Curve, algorithm: COSE.Algorithm) throws(COSE.KeyError) {
        let number = try integer(map, -1)
        guard number == curve.rawValue else { throw .curveMismatch(algorithm, curve: number) }
    }

    private static func check(_ map: CBOR.Map, labels: [CBOR.Value]) throws(COSE.KeyError) {
        if let extra = map.keys.first(where: { !labels.contains($0) }) {
            throw .unexpectedParameter(extra.description)
        }
    }

    private static func integer(_ map: CBOR.Map, _ label: Int) throws(COSE.KeyError) -> Int {
        guard let value = map[label] else { throw .missingParameter(label) }
        do {
            return try value.asInteger("parameter \(label)")
        } catch {
            throw .malformed(error.description)
        }
    }

    private static func bytes(_ map: CBOR.Map, _ label: Int) throws(COSE.KeyError) -> [UInt8] {
        guard let value = map[label] else { throw .missingParameter(label) }
        do {
            return try value.asBytes("parameter \(label)")
        } catch {
            throw .malformed(error.description)
        }
    }
}
