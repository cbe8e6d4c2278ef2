#if SYSTEM_LIBRARIES
internal import Crypto
internal import CryptoExtras

extension RSA {
    /// Makes a key of 2048 bits from random bytes; the same bytes make the same key.
    ///
    /// Draws primes as FIPS 186-5 §A.1.3 does, each from the first prime at or above a random number.
    ///
    /// - Throws: ``COSE/KeyError/invalidPrivateKey`` when the source returns too few bytes or twice the same prime.
    static func generate(randomBytes: (Int) -> [UInt8]) throws(COSE.KeyError) -> _RSA.Signing.PrivateKey {
        // Candidates rarely fail; a source that repeats itself always does.
        for _ in 0..<4 {
            let starts = (randomBytes(primeLength), randomBytes(primeLength))
            guard starts.0.count == primeLength, starts.1.count == primeLength, starts.0 != starts.1 else { continue }
            if let key = try? key(primeAtOrAbove: starts.0, primeAtOrAbove: starts.1) { return key }
        }
        throw .invalidPrivateKey
    }

    private static let primeLength = 128

    private static func key(
        primeAtOrAbove first: [UInt8], primeAtOrAbove second: [UInt8]
    ) throws -> _RSA.Signing.PrivateKey {
        try Arithmetic.run { arithmetic in
            let p = try prime(atOrAbove: first, arithmetic)
            let q = try prime(atOrAbove: second, arithmetic)
            let (larger, smaller) = arithmetic.isLess(p, than: q) ? (q, p) : (p, q)
            return try key(larger, smaller, arithmetic)
        }
    }

    /// The key of two primes, big-endian, with the public exponent 65537.
    static func key(primes first: [UInt8], _ second: [UInt8]) throws -> _RSA.Signing.PrivateKey {
        try Arithmetic.run { arithmetic in
            try key(try arithmetic.number(first), try arithmetic.number(second), arithmetic)
        }
    }

    private static func key(
        _ p: Arithmetic.Number, _ q: Arithmetic.Number, _ arithmetic: Arithmetic
    ) throws -> _RSA.Signing.PrivateKey {
        let modulus = try arithmetic.product(p, q)
        let totient = try arithmetic.product(try arithmetic.predecessor(p), try arithmetic.predecessor(q))
        // There is no private exponent where 65537 divides p − 1 or q − 1.
        guard let exponent = try arithmetic.inverse(try arithmetic.number(publicExponent), modulo: totient) else {
            throw COSE.KeyError.invalidPrivateKey
        }
        return try _RSA.Signing.PrivateKey(
            n: try arithmetic.bytes(modulus), e: publicExponent, d: try arithmetic.bytes(exponent),
            p: try arithmetic.bytes(p), q: try arithmetic.bytes(q))
    }

    private static func prime(atOrAbove start: [UInt8], _ arithmetic: Arithmetic) throws -> Arithmetic.Number {
        var bytes = start
        // With the two highest bits set in both primes, their product has all 2048 bits.
        bytes[0] |= 0xC0
        bytes[bytes.count - 1] |= 0x01
        let candidate = try arithmetic.number(bytes)
        while !arithmetic.isPrime(candidate) { try arithmetic.increase(candidate, by: 2) }
        return candidate
    }
}
#endif
