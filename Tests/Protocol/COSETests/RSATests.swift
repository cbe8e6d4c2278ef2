import CBOR
import COSE
import TestSupport
import Testing

/// RSA keys and signatures.
struct RSATests {
    /// 2^bits − 1, big-endian.
    private static func mersenne(_ bits: Int) -> [UInt8] {
        let high: [UInt8] = bits % 8 == 0 ? [] : [0xFF >> UInt8(8 - bits % 8)]
        return high + [UInt8](repeating: 0xFF, count: bits / 8)
    }

    /// The key of WebAuthn's RS256 vector, whose primes are 2^1279 − 1 and 2^2203 − 1.
    private static func vectorKey(_ algorithm: COSE.Algorithm = .rs256) throws -> COSE.PrivateKey {
        try COSE.PrivateKey(algorithm: algorithm, primes: (mersenne(2203), mersenne(1279)))
    }

    @Test func theVectorsSignatureIsReproduced() throws {
        let key = try Self.vectorKey()
        let message = [UInt8](
            hex: """
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b519000000008d3c241da41b4168d77931
                bd9107be029e1f0a68c58c8687eadc7187174dd3c9
                """)
        let signature = [UInt8](
            hex: """
                01063d52d7c39b4d432fc7063c5d93e582bdcb16889cd71f888d67d880ea730a428498d3bc8e1ee11f2b1ecbe6c292b1
                18c55ffaaddefa8cad0a54dd137c51f1eec673f1bb6c4d1789d6826a222b22d0f585fc901fdc933212e579d199b89d67
                2aa44891333e6a1355536025e82b25590256c3538229b55737083b2f6b9377e49e2472f11952f79fdd0da180b5ffd901
                b4049a8f081bb40711bef76c62aed943571f2d0575304cb549d68d8892f95086a30f93716aee818f8dc06e96c0d5e0ed
                4cfa9fd8773d90464b68cf140f7986666ff9c9e3302acd0535d60d769f465e2ab57ef8aabc89fccfef7ba32a64154a8b
                3d26be2298f470b8cc5377dbe3dfd4b0b45f8f01e63bde6cfc76b62771f9b70aa27cf40152cad93aa5acd784fd4b90f6
                76e2ea828d0bf2400aebbaae4153e5838f537f88b6228346782a93a899be66ec77de45b3efcf311da6321c92e6b0cd11
                bfe653bf3e98cee8e341f02d67dbb6f9c98d9e8178090cfb5b70fbc6d541599ac794ae2f1d4de1286ec8de8c2daf7b1d
                15c8438e90d924df5c19045220a4c8438c1b979bbe016cf3d0eeec23c3999d4882cc645b776de930756612cdc6dd3981
                60ff02a6
                """)
        #expect(try key.sign(message) == signature)
        #expect(try key.sign(message, mode: .deterministic) == signature)
        #expect(key.publicKey.verify(signature, over: message))
        guard case .rsa(let modulus, let exponent) = key.publicKey.material else {
            Issue.record("it is not an RSA key")
            return
        }
        #expect(modulus.count == 436)
        #expect(modulus[0] == 0x03)
        #expect(exponent == [1, 0, 1])
    }

    @Test(arguments: [COSE.Algorithm.rs256, .ps256])
    func aStoredKeyRoundTrips(algorithm: COSE.Algorithm) throws {
        let key = try Self.vectorKey(algorithm)
        let again = try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: key.rawRepresentation)
        #expect(again.publicKey == key.publicKey)
        #expect(again.rawRepresentation == key.rawRepresentation)
        #expect(key.publicKey.verify(try again.sign([1]), over: [1]))
    }

    @Test(arguments: [COSE.Algorithm.rs256, .ps256])
    func flippedTruncatedAndExtendedSignaturesAreRefused(algorithm: COSE.Algorithm) throws {
        let key = try Self.vectorKey(algorithm)
        let message: [UInt8] = [1, 2, 3]
        let signature = try key.sign(message)
        for byte in signature.indices {
            var changed = signature
            changed[byte] ^= 1 << UInt8(byte % 8)
            #expect(!key.publicKey.verify(changed, over: message))
        }
        for length in [0, 1, 255, 256, 435] {
            #expect(!key.publicKey.verify(Array(signature.prefix(length)), over: message))
            #expect(!key.publicKey.verify(Array(signature.suffix(length)), over: message))
        }
        #expect(!key.publicKey.verify([0] + signature, over: message))
        #expect(!key.publicKey.verify(signature + [0], over: message))
    }

    @Test func aSignatureDoesNotVerifyUnderTheOtherPadding() throws {
        let (pkcs1, pss) = (try Self.vectorKey(.rs256), try Self.vectorKey(.ps256))
        #expect(!pss.publicKey.verify(try pkcs1.sign([1]), over: [1]))
        #expect(!pkcs1.publicKey.verify(try pss.sign([1]), over: [1]))
    }

    @Test func aMadeKeyHas2048Bits() throws {
        var generator = SeededGenerator(seed: 3)
        let key = try COSE.PrivateKey.generate(.rs256) { generator.bytes($0) }
        guard case .rsa(let modulus, _) = key.publicKey.material else {
            Issue.record("it is not an RSA key")
            return
        }
        #expect(modulus.count == 256)
        #expect(modulus[0] >= 0x80)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: COSE.KeyError
        let change: @Sendable (inout CBOR.Map) -> Void

        init(_ what: String, _ error: COSE.KeyError, _ change: @escaping @Sendable (inout CBOR.Map) -> Void) {
            testDescription = what
            self.error = error
            self.change = change
        }
    }

    private static func odd(bits: Int) -> CBOR.Value { .bytes(mersenne(bits)) }

    static let refusals: [Row] = [
        Row("no modulus", .missingParameter(-1)) { $0[-1] = nil },
        Row("no exponent", .missingParameter(-2)) { $0[-2] = nil },
        Row("a modulus of 2047 bits", .modulusSize(bits: 2047)) { $0[-1] = odd(bits: 2047) },
        Row("a modulus of 1024 bits", .modulusSize(bits: 1024)) { $0[-1] = odd(bits: 1024) },
        Row("a modulus of 4097 bits", .modulusSize(bits: 4097)) { $0[-1] = odd(bits: 4097) },
        Row("an empty modulus", .modulusSize(bits: 0)) { $0[-1] = .bytes([]) },
        Row("a modulus with a leading zero", .leadingZero(parameter: -1)) { $0[-1] = .bytes([0] + mersenne(2048)) },
        Row("an even modulus", .malformed("the RSA modulus is even")) {
            $0[-1] = .bytes(mersenne(2048).dropLast() + [0xFE])
        },
        Row("an exponent with a leading zero", .leadingZero(parameter: -2)) { $0[-2] = .bytes([0, 1, 0, 1]) },
        Row("an even exponent", badExponent) { $0[-2] = .bytes([2]) },
        Row("the exponent 1", badExponent) { $0[-2] = .bytes([1]) },
        Row("no bytes of exponent", badExponent) { $0[-2] = .bytes([]) },
        Row("an exponent of 33 bits", badExponent) { $0[-2] = .bytes([1, 0, 0, 0, 1]) },
        Row("the modulus as text", .malformed("parameter -1 is a text string, not a byte string")) { $0[-1] = "n" },
        Row("the private exponent", .unexpectedParameter("-3")) { $0[-3] = .bytes([3]) },
        Row("ES256", .keyTypeMismatch(.es256, keyType: 3)) { $0[3] = -7 },
        Row("key type EC2", .keyTypeMismatch(.rs256, keyType: 2)) { $0[1] = 2 },
    ]

    private static let badExponent = COSE.KeyError.malformed(
        "the RSA public exponent is not an odd number from 3 to 2³² − 1")

    @Test(arguments: refusals)
    func aBadKeyIsRefusedWithItsReason(row: Row) throws {
        guard case .map(var map) = try Self.vectorKey().publicKey.cbor else {
            Issue.record("the key is not a map")
            return
        }
        row.change(&map)
        #expect(throws: row.error) { try COSE.PublicKey(cbor: .map(map)) }
    }

    @Test(arguments: [2048, 4096])
    func theLimitsOfTheModulusAreInclusive(bits: Int) throws {
        let map: CBOR.Map = [1: 3, 3: -257, -1: Self.odd(bits: bits), -2: .bytes([1, 0, 1])]
        #expect(try COSE.PublicKey(cbor: .map(map)).cbor == .map(map))
    }

    @Test func primesOfAnotherAlgorithmAreRefused() {
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(.es256)) {
            try COSE.PrivateKey(algorithm: .es256, primes: ([3], [5]))
        }
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey(algorithm: .rs256, primes: ([3], [5]))
        }
    }

    @Test(arguments: [[], [0x30, 0x00], [1, 2, 3]] as [[UInt8]])
    func bytesThatAreNoPrivateKeyAreRefused(bytes: [UInt8]) {
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey(algorithm: .rs256, rawRepresentation: bytes)
        }
    }
}
