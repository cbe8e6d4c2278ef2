internal import CryptoExtras
internal import Foundation
internal import SwiftASN1

/// RSA keys' numbers: their limits and their DER.
enum RSA {
    static let publicExponent: [UInt8] = [0x01, 0x00, 0x01]

    /// Refuses numbers with leading zeros (RFC 8230 §4) and values no sound RSA key has.
    static func check(modulus: [UInt8], exponent: [UInt8]) throws(COSE.KeyError) {
        if modulus.first == 0 { throw .leadingZero(parameter: -1) }
        if exponent.first == 0 { throw .leadingZero(parameter: -2) }
        let bits = bitCount(modulus)
        guard (2048...4096).contains(bits) else { throw .modulusSize(bits: bits) }
        // An even modulus is not a product of two large primes; 1, even exponents and ones beyond 32 bits verify nothing.
        guard let low = modulus.last, low & 1 == 1 else { throw .malformed("the RSA modulus is even") }
        guard let low = exponent.last, low & 1 == 1, exponent != [1], exponent.count <= 4 else {
            throw .malformed("the RSA public exponent is not an odd number from 3 to 2³² − 1")
        }
    }

    /// `RSAPublicKey`: SEQUENCE { modulus INTEGER, publicExponent INTEGER }.
    static func publicKeyDER(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        DER.Serializer.integers(modulus, exponent)
    }

    static func publicNumbers(der: [UInt8]) throws(COSE.KeyError) -> (modulus: [UInt8], exponent: [UInt8]) {
        do {
            return try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
                (Array(try ArraySlice<UInt8>(derEncoded: &nodes)), Array(try ArraySlice<UInt8>(derEncoded: &nodes)))
            }
        } catch {
            throw .malformed("it holds no RSAPublicKey in DER")
        }
    }

    static func privateNumbers(_ key: _RSA.Signing.PrivateKey) throws -> (modulus: [UInt8], exponent: [UInt8]) {
        // RSAPrivateKey: SEQUENCE { version, modulus, publicExponent, privateExponent, … } (RFC 8017 §A.1.2).
        let numbers = try DER.sequence(try DER.parse(Array(key.derRepresentation)), identifier: .sequence) { nodes in
            var numbers: [[UInt8]] = []
            while let node = nodes.next() { numbers.append(Array(try ArraySlice<UInt8>(derEncoded: node))) }
            return numbers
        }
        guard numbers.count == 9 else { throw COSE.KeyError.invalidPrivateKey }
        return (numbers[1], numbers[3])
    }

    /// Bits of a number without leading zero bytes.
    static func bitCount(_ number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return number.count * 8 - first.leadingZeroBitCount
    }
}
