import CBOR
import COSE
import TestSupport
import Testing

struct SignatureTests {
    @Test(arguments: COSE.Algorithm.supported)
    func aSignatureVerifiesOnlyForItsKeyAndItsMessage(algorithm: COSE.Algorithm) throws {
        var generator = SeededGenerator(seed: 8)
        let key = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
        let other = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
        for length in [0, 1, 32, 69, 1000] {
            let message = generator.bytes(length)
            let signature = try key.sign(message)
            #expect(key.publicKey.verify(signature, over: message))
            #expect(!other.publicKey.verify(signature, over: message))
            #expect(!key.publicKey.verify(signature, over: message + [0]))
            #expect(!key.publicKey.verify(try other.sign(message), over: message))
        }
    }

    @Test(arguments: Ring.sample(KnownAnswer.all, 3))
    func everyFlippedBitOfASignatureIsRefused(vector: KnownAnswer) throws {
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        var accepted: [Int] = []
        for bit in 0..<vector.signature.count * 8 {
            var signature = vector.signature
            signature[bit / 8] ^= 1 << UInt8(bit % 8)
            if key.verify(signature, over: vector.message) { accepted.append(bit) }
        }
        #expect(accepted == [])
    }

    @Test(arguments: KnownAnswer.all)
    func everyTruncationAndEverySurplusOfASignatureIsRefused(vector: KnownAnswer) throws {
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        for length in vector.signature.indices {
            #expect(!key.verify(Array(vector.signature[..<length]), over: vector.message), "\(length) bytes")
        }
        for surplus in [[0], [0xFF], [0x05, 0x00], vector.signature] as [[UInt8]] {
            #expect(!key.verify(vector.signature + surplus, over: vector.message))
            #expect(!key.verify(surplus + vector.signature, over: vector.message))
        }
    }

    /// A way to write the right numbers wrongly, or numbers that are not a signature.
    struct Distortion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (_ r: [UInt8], _ s: [UInt8], _ order: [UInt8]) -> [UInt8]

        init(
            _ name: String,
            _ apply: @escaping @Sendable (_ r: [UInt8], _ s: [UInt8], _ order: [UInt8]) -> [UInt8]
        ) {
            testDescription = name
            self.apply = apply
        }
    }

    static let encodings: [Distortion] = [
        Distortion("r with a needless zero") { r, s, _ in
            DER.tagged(0x30, DER.tagged(0x02, [0, 0] + r) + DER.integer(s))
        },
        Distortion("s with a needless zero") { r, s, _ in
            DER.tagged(0x30, DER.integer(r) + DER.tagged(0x02, [0, 0] + s))
        },
        Distortion("a third integer") { r, s, _ in
            DER.tagged(0x30, DER.integer(r) + DER.integer(s) + DER.integer([1]))
        },
        Distortion("a NULL inside the sequence") { r, s, _ in
            DER.tagged(0x30, DER.integer(r) + DER.integer(s) + [0x05, 0x00])
        },
        Distortion("only r") { r, _, _ in DER.tagged(0x30, DER.integer(r)) },
        Distortion("a set") { r, s, _ in DER.tagged(0x31, DER.integer(r) + DER.integer(s)) },
        Distortion("a bit string for r") { r, s, _ in
            DER.tagged(0x30, DER.tagged(0x03, [0] + r) + DER.integer(s))
        },
        Distortion("a length of two bytes") { r, s, _ in
            let body = DER.integer(r) + DER.integer(s)
            return [0x30, 0x82, 0x00, UInt8(truncatingIfNeeded: body.count)] + body
        },
        Distortion("an integer's length in long form") { r, s, _ in
            let integer = DER.integer(r)
            return DER.tagged(0x30, [0x02, 0x81] + integer.dropFirst() + DER.integer(s))
        },
        Distortion("indefinite length") { r, s, _ in [0x30, 0x80] + DER.integer(r) + DER.integer(s) + [0, 0] },
        Distortion("empty integers") { _, _, _ in [0x30, 0x04, 0x02, 0x00, 0x02, 0x00] },
        Distortion("an empty sequence") { _, _, _ in [0x30, 0x00] },
        Distortion("r ‖ s without DER") { r, s, order in
            [r, s].flatMap { [UInt8](repeating: 0, count: order.count - $0.count) + $0 }
        },
    ]

    static let numbers: [Distortion] = [
        Distortion("r = 0") { _, s, _ in DER.signature(r: [], s: s) },
        Distortion("s = 0") { r, _, _ in DER.signature(r: r, s: []) },
        Distortion("r = s = 0") { _, _, _ in DER.signature(r: [], s: []) },
        Distortion("r = s = 1") { _, _, _ in DER.signature(r: [1], s: [1]) },
        Distortion("r = n") { _, s, order in DER.signature(r: order, s: s) },
        Distortion("s = n") { r, _, order in DER.signature(r: r, s: order) },
        Distortion("r + n") { r, s, order in DER.signature(r: sum(r, order), s: s) },
        Distortion("s + n") { r, s, order in DER.signature(r: r, s: sum(s, order)) },
        Distortion("r all ones") { _, s, order in
            DER.signature(r: [UInt8](repeating: 0xFF, count: order.count), s: s)
        },
        Distortion("r far longer than the field") { r, s, _ in
            DER.signature(r: [UInt8](repeating: 0x7F, count: 100) + r.prefix(20), s: s.prefix(20) + [])
        },
        Distortion("negative r") { r, s, _ in
            DER.tagged(0x30, DER.tagged(0x02, [0x80] + r.dropFirst()) + DER.integer(s))
        },
        Distortion("negative s") { r, s, _ in
            DER.tagged(0x30, DER.integer(r) + DER.tagged(0x02, [0xFF] + s))
        },
        Distortion("r and s exchanged") { r, s, _ in DER.signature(r: s, s: r) },
    ]

    @Test(arguments: KnownAnswer.ecdsa, encodings + numbers)
    func anECDSASignatureMustBeStrictDEROfNumbersInRange(vector: KnownAnswer, distortion: Distortion) throws {
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        let (r, s) = try #require(DER.integers(of: vector.signature))
        try #require(DER.signature(r: r, s: s) == vector.signature)
        let distorted = distortion.apply(r, s, groupOrder(key.curve))
        #expect(distorted != vector.signature)
        #expect(!key.verify(distorted, over: vector.message))
    }

    @Test func theMirroredSOfAnECDSASignatureVerifiesToo() throws {
        // ECDSA itself accepts n − s, and WebAuthn asks for no low s (§6.5.5): the verifier must not be stricter.
        let vector = KnownAnswer.rfc6979
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        let (r, _) = try #require(DER.integers(of: vector.signature))
        let mirrored = [UInt8](hex: "0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9")
        #expect(key.verify(DER.signature(r: r, s: mirrored), over: vector.message))
    }

    @Test(arguments: [KnownAnswer.edDSA, .rfc8032])
    func anEd25519SignatureWithSBeyondTheOrderIsRefused(vector: KnownAnswer) throws {
        // L, little-endian; S + L is the same number to the curve (RFC 8032 §5.1.7 demands S < L).
        let order = [UInt8](hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var signature = vector.signature
        var carry = 0
        for index in 0..<32 {
            let total = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(total & 0xFF)
            carry = total >> 8
        }
        try #require(carry == 0)
        let key = try COSE.PublicKey(cbor: CBOR.decode(vector.publicKey))
        #expect(!key.verify(signature, over: vector.message))
    }

    /// The sum of two big-endian numbers.
    private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let count = max(left.count, right.count) + 1
        var result = [UInt8](repeating: 0, count: count)
        var carry = 0
        for index in 0..<count {
            let a = index < left.count ? Int(left[left.count - 1 - index]) : 0
            let b = index < right.count ? Int(right[right.count - 1 - index]) : 0
            result[count - 1 - index] = UInt8((a + b + carry) & 0xFF)
            carry = (a + b + carry) >> 8
        }
        return result
    }
}
