#if SYSTEM_LIBRARIES
internal import SwiftASN1

/// ECDSA with the nonce of RFC 6979, for any curve of ``COSE/Scheme/ecdsa(_:_:)``.
///
/// Not in constant time, see ``Arithmetic``.
enum DeterministicECDSA {
    /// The signature in DER.
    static func sign(_ message: [UInt8], scalar: [UInt8], curve: COSE.Curve, digest: COSE.Digest) throws -> [UInt8] {
        try CurveGroup.run(curve) { group, arithmetic in
            let order = group.order
            let bits = arithmetic.bitCount(order)
            let length = (bits + 7) / 8
            let privateKey = try arithmetic.number(scalar)
            let hash = try leftmost(bits, of: digest.hash(of: message), arithmetic)
            let reduced = try arithmetic.remainder(hash, order)
            var generator = DeterministicGenerator(
                seed: try arithmetic.bytes(privateKey, count: length) + arithmetic.bytes(reduced, count: length),
                digest: digest)
            while true {
                let nonce = try leftmost(bits, of: Array(generator.bytes(atLeast: length).prefix(length)), arithmetic)
                if !arithmetic.isZero(nonce), arithmetic.isLess(nonce, than: order),
                    let signature = try sign(reduced, privateKey, nonce, group, arithmetic)
                {
                    return signature
                }
                generator.reject()
            }
        }
    }

    /// r = (k·G).x and s = k⁻¹ · (h + r·x), modulo the order; nil where one of them is zero (FIPS 186-5 §6.4.1).
    private static func sign(
        _ hash: Arithmetic.Number, _ privateKey: Arithmetic.Number, _ nonce: Arithmetic.Number,
        _ group: CurveGroup, _ arithmetic: Arithmetic
    ) throws -> [UInt8]? {
        let order = group.order
        let r = try arithmetic.remainder(try group.basePoint(times: nonce).x, order)
        guard let inverse = try arithmetic.inverse(nonce, modulo: order) else { return nil }
        let sum = try arithmetic.sum(hash, try arithmetic.product(r, privateKey, modulo: order), modulo: order)
        let s = try arithmetic.product(inverse, sum, modulo: order)
        guard !arithmetic.isZero(r), !arithmetic.isZero(s) else { return nil }
        return DER.Serializer.integers(try arithmetic.bytes(r), try arithmetic.bytes(s))
    }

    /// The number in the leftmost bits (`bits2int`, RFC 6979 §2.3.2).
    private static func leftmost(_ bits: Int, of bytes: [UInt8], _ arithmetic: Arithmetic) throws -> Arithmetic.Number {
        let number = try arithmetic.number(bytes)
        if bytes.count * 8 > bits { try arithmetic.shiftRight(number, by: bytes.count * 8 - bits) }
        return number
    }
}
#endif
