#if SYSTEM_LIBRARIES
internal import COpenSSL

/// Arithmetic with non-negative integers of any size, in libcrypto's `BIGNUM`s.
///
/// Not in constant time: timing reveals private keys, which is acceptable for a simulator's keys.
struct Arithmetic {
    /// A number that is valid as long as its ``Arithmetic`` and is overwritten at the end.
    typealias Number = OpaquePointer

    let context: OpaquePointer

    /// Runs `body`; its numbers must not escape.
    static func run<Result>(_ body: (Arithmetic) throws -> Result) throws -> Result {
        guard let context = BN_CTX_new() else { throw LibcryptoError() }
        defer { BN_CTX_free(context) }
        BN_CTX_start(context)
        defer { BN_CTX_end(context) }
        return try body(Arithmetic(context: context))
    }

    /// A new number, zero.
    func number() throws -> Number {
        guard let number = BN_CTX_get(context) else { throw LibcryptoError() }
        return number
    }

    /// The number with these bytes, big-endian.
    func number(_ bytes: [UInt8]) throws -> Number {
        let number = try number()
        guard let length = Int32(exactly: bytes.count), BN_bin2bn(bytes, length, number) != nil else {
            throw LibcryptoError()
        }
        return number
    }

    /// The number, big-endian in that many bytes.
    func bytes(_ number: Number, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard let length = Int32(exactly: count), BN_bn2binpad(number, &bytes, length) == length else {
            throw LibcryptoError()
        }
        return bytes
    }

    /// The number, big-endian without leading zeros.
    func bytes(_ number: Number) throws -> [UInt8] { try bytes(number, count: (bitCount(number) + 7) / 8) }

    func bitCount(_ number: Number) -> Int { Int(BN_num_bits(number)) }

    func isZero(_ number: Number) -> Bool { BN_is_zero(number) == 1 }

    func isLess(_ left: Number, than right: Number) -> Bool { BN_cmp(left, right) < 0 }

    /// The same number less one; for a number above zero.
    func predecessor(_ number: Number) throws -> Number {
        let result = try self.number()
        guard BN_copy(result, number) != nil else { throw LibcryptoError() }
        try LibcryptoError.check(BN_sub_word(result, 1))
        return result
    }

    func product(_ left: Number, _ right: Number) throws -> Number {
        let result = try number()
        try LibcryptoError.check(BN_mul(result, left, right, context))
        return result
    }

    func remainder(_ number: Number, _ modulus: Number) throws -> Number {
        let result = try self.number()
        try LibcryptoError.check(BN_nnmod(result, number, modulus, context))
        return result
    }

    func sum(_ left: Number, _ right: Number, modulo modulus: Number) throws -> Number {
        let result = try number()
        try LibcryptoError.check(BN_mod_add(result, left, right, modulus, context))
        return result
    }

    func product(_ left: Number, _ right: Number, modulo modulus: Number) throws -> Number {
        let result = try number()
        try LibcryptoError.check(BN_mod_mul(result, left, right, modulus, context))
        return result
    }

    func power(_ base: Number, _ exponent: Number, modulo modulus: Number) throws -> Number {
        let result = try number()
        try LibcryptoError.check(BN_mod_exp(result, base, exponent, modulus, context))
        return result
    }

    func inverse(_ number: Number, modulo modulus: Number) throws -> Number? {
        let result = try self.number()
        guard BN_mod_inverse(result, number, modulus, context) != nil else {
            ERR_clear_error()
            return nil
        }
        return result
    }

    /// Whether the number is a prime, with an error probability below 2⁻¹²⁸.
    func isPrime(_ number: Number) -> Bool { BN_check_prime(number, context, nil) == 1 }

    func increase(_ number: Number, by summand: UInt) throws { try LibcryptoError.check(BN_add_word(number, summand)) }

    func shiftRight(_ number: Number, by count: Int) throws {
        guard let count = Int32(exactly: count) else { return }
        try LibcryptoError.check(BN_rshift(number, number, count))
    }
}
#endif
