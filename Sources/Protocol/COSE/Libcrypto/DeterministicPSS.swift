#if SYSTEM_LIBRARIES
internal import CryptoExtras

/// RSASSA-PSS with SHA-256 (RFC 8017 §8.1.1) and a salt that the key and the message determine.
///
/// Not in constant time, see ``Arithmetic``.
enum DeterministicPSS {
    private static let digest = COSE.Digest.sha256
    private static let hashLength = 32

    /// A signature as long as the modulus.
    static func sign(_ message: [UInt8], key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
        let (modulus, exponent) = try RSA.privateNumbers(key)
        let hash = digest.hash(of: message)
        var generator = DeterministicGenerator(seed: exponent + hash, digest: digest)
        let salt = Array(generator.bytes(atLeast: hashLength).prefix(hashLength))
        let encoded = encode(hash, salt: salt, bits: RSA.bitCount(modulus) - 1)
        return try Arithmetic.run { arithmetic in
            let signature = try arithmetic.power(
                try arithmetic.number(encoded), try arithmetic.number(exponent),
                modulo: try arithmetic.number(modulus))
            return try arithmetic.bytes(signature, count: modulus.count)
        }
    }

    /// EMSA-PSS-ENCODE (RFC 8017 §9.1.1): maskedDB ‖ H ‖ 0xBC; the modulus is far longer than hash and salt.
    private static func encode(_ hash: [UInt8], salt: [UInt8], bits: Int) -> [UInt8] {
        let length = (bits + 7) / 8
        let h = digest.hash(of: [UInt8](repeating: 0, count: 8) + hash + salt)
        let padding = [UInt8](repeating: 0, count: length - salt.count - hashLength - 2)
        let block = padding + [0x01] + salt
        var masked = zip(block, mask(seed: h, count: block.count)).map { $0 ^ $1 }
        masked[0] &= 0xFF >> UInt8(8 * length - bits)
        return masked + h + [0xBC]
    }

    /// MGF1 (RFC 8017 §B.2.1).
    private static func mask(seed: [UInt8], count: Int) -> [UInt8] {
        var mask: [UInt8] = []
        var counter: UInt32 = 0
        while mask.count < count {
            mask += digest.hash(of: seed + (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) })
            counter += 1
        }
        return Array(mask.prefix(count))
    }
}
#endif
