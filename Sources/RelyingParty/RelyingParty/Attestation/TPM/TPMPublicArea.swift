internal import COSE

/// The public part of a key in a TPM, `TPMT_PUBLIC` (TPM 2.0 Library, Part 2 §12.2.4): type (2) ‖ name algorithm (2) ‖
/// attributes (4) ‖ policy ‖ parameters ‖ unique.
struct TPMPublicArea {
    /// TPM_ALG_ID of the hash in the key's name.
    let nameAlgorithm: UInt16
    private let material: Material

    private enum Material {
        case rsa(modulus: [UInt8], exponent: UInt32)
        case ellipticCurve(curve: UInt16, x: [UInt8], y: [UInt8])
    }

    private enum Identifier {
        static let rsa: UInt16 = 0x0001
        static let null: UInt16 = 0x0010
        static let ecdaa: UInt16 = 0x001A
        static let ecc: UInt16 = 0x0023
    }

    init(parsing bytes: [UInt8]) throws(TPMReader.ParsingError) {
        var reader = TPMReader(bytes)
        let type = try reader.uint16()
        nameAlgorithm = try reader.uint16()
        _ = try reader.bytes(4)
        _ = try reader.sizedBytes()
        try Self.skipSymmetric(&reader)
        try Self.skipScheme(&reader)
        switch type {
        case Identifier.rsa:
            _ = try reader.uint16()
            let exponent = try reader.uint32()
            material = .rsa(modulus: try reader.sizedBytes(), exponent: exponent)
        case Identifier.ecc:
            let curve = try reader.uint16()
            try Self.skipScheme(&reader)
            material = .ellipticCurve(curve: curve, x: try reader.sizedBytes(), y: try reader.sizedBytes())
        default:
            throw .unsupported("key type", type)
        }
        try reader.end()
    }

    /// Skips TPMT_SYM_DEF_OBJECT: algorithm (2), and unless that is null, key bits (2) and mode (2).
    private static func skipSymmetric(_ reader: inout TPMReader) throws(TPMReader.ParsingError) {
        if try reader.uint16() != Identifier.null { _ = try reader.bytes(4) }
    }

    /// Skips a scheme: algorithm (2), and unless that is null its hash (2) and for ECDAA a count (2).
    private static func skipScheme(_ reader: inout TPMReader) throws(TPMReader.ParsingError) {
        let scheme = try reader.uint16()
        if scheme != Identifier.null { _ = try reader.bytes(scheme == Identifier.ecdaa ? 4 : 2) }
    }

    func holds(_ key: COSE.PublicKey) -> Bool {
        switch (material, key.material) {
        case (.rsa(let modulus, let exponent), .rsa(let keyModulus, let keyExponent)):
            // Zero means the default exponent, 2^16 + 1.
            let number = exponent == 0 ? 65_537 : exponent
            return Self.number(modulus) == keyModulus
                && number == keyExponent.reduce(0) { $0 << 8 | UInt32($1) }
        case (.ellipticCurve(let curve, let x, let y), .ellipticCurve(let keyCurve, let keyX, let keyY)):
            return curve == Self.identifier(keyCurve) && Self.number(x) == Self.number(keyX)
                && Self.number(y) == Self.number(keyY)
        default:
            return false
        }
    }

    /// TPM_ECC_CURVE (TCG Algorithm Registry).
    private static func identifier(_ curve: COSE.Curve) -> UInt16? {
        switch curve {
        case .p256: 0x0003
        case .p384: 0x0004
        case .p521: 0x0005
        case .secp256k1, .ed25519, .ed448: nil
        }
    }

    /// The number without leading zeros, which only some TPMs write.
    private static func number(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.drop { $0 == 0 }) }
}
