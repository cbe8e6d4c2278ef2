import CBOR
import COSE
import TestSupport
import Testing

/// Signatures that come out the same each time (RFC 6979).
struct DeterministicSignatureTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: COSE.Algorithm
        let privateKey: [UInt8]
        let message: String
        let r: String
        let s: String

        init(_ name: String, _ algorithm: COSE.Algorithm, _ key: [UInt8], _ message: String, r: String, s: String) {
            testDescription = "\(name) “\(message)”"
            self.algorithm = algorithm
            privateKey = key
            self.message = message
            self.r = r
            self.s = s
        }
    }

    private static let p256 = [UInt8](hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
    private static let p384 = [UInt8](
        hex: """
            6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba
            9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5
            """)
    private static let p521 = [UInt8](
        hex: """
            00fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75ca
            a896eb32f1f47c70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b83538
            """)

    static let rfc6979 = [
        Vector(
            "A.2.5", .es256, p256, "sample", r: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
            s: "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"),
        Vector(
            "A.2.5", .es256, p256, "test", r: "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
            s: "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"),
        Vector(
            "A.2.6", .es384, p384, "sample",
            r: "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46",
            s: "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8"),
        Vector(
            "A.2.6", .es384, p384, "test",
            r: "8203b63d3c853e8d77227fb377bcf7b7b772e97892a80f36ab775d509d7a5feb0542a7f0812998da8f1dd3ca3cf023db",
            s: "ddd0760448d42d8a43af45af836fce4de8be06b485e9b61b827c2f13173923e06a739f040649a667bf3b828246baa5a5"),
        Vector(
            "A.2.7", .es512, p521, "sample",
            r: """
                c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e
                25a1ee9017b5d450606add152b534931d7d4e8455cc91f9b15bf05ec36e377fa
                """,
            s: """
                617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af2826
                23eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a
                """),
        Vector(
            "A.2.7", .es512, p521, "test",
            r: """
                013e99020abf5cee7525d16b69b229652ab6bdf2affcaef38773b4b7d08725f10c
                db93482fdcc54edcee91eca4166b2a7c6265ef0ce2bd7051b7cef945babd47ee6d
                """,
            s: """
                01fbd0013c674aa79cb39849527916ce301c66ea7ce8b80682786ad60f98f7e78a
                19ca69eff5c57400e3b3a0ad66ce0978214d13baf4e9ac60752f7b155e2de4dce3
                """),
    ]

    @Test(arguments: rfc6979)
    func theVectorsOfRFC6979AreReproduced(vector: Vector) throws {
        let key = try COSE.PrivateKey(algorithm: vector.algorithm, rawRepresentation: vector.privateKey)
        let signature = try key.sign(Array(vector.message.utf8), mode: .deterministic)
        #expect(signature == DER.signature(r: [UInt8](hex: vector.r), s: [UInt8](hex: vector.s)))
    }

    /// WebAuthn's vectors are signed that way too.
    @Test(arguments: KnownAnswer.all)
    func everyKnownSignatureIsReproduced(vector: KnownAnswer) throws {
        let key = try COSE.PrivateKey(algorithm: vector.algorithm, rawRepresentation: vector.privateKey)
        #expect(try key.sign(vector.message, mode: .deterministic) == vector.signature)
    }

    @Test(arguments: COSE.Algorithm.supported.filter(\.signsDeterministically))
    func signingAgainGivesTheSameBytes(algorithm: COSE.Algorithm) throws {
        var generator = SeededGenerator(seed: 12)
        let key = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
        var signatures: Set<[UInt8]> = []
        for length in [0, 1, 69, 200] {
            let message = generator.bytes(length)
            let signature = try key.sign(message, mode: .deterministic)
            #expect(try key.sign(message, mode: .deterministic) == signature)
            #expect(key.publicKey.verify(signature, over: message))
            signatures.insert(signature)
        }
        #expect(signatures.count == 4)
    }

    @Test(arguments: [COSE.Algorithm.es256, .es384, .es512, .es256K, .ps256, .mlDSA65, .mlDSA87])
    func aRandomizedSignatureDiffersEachTime(algorithm: COSE.Algorithm) throws {
        var generator = SeededGenerator(seed: 13)
        let key = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
        #expect(try key.sign([1, 2, 3]) != key.sign([1, 2, 3]))
    }

    @Test(arguments: [COSE.Algorithm.mlDSA65, .mlDSA87])
    func aDeterministicMLDSASignatureIsRefusedRatherThanRandomized(algorithm: COSE.Algorithm) throws {
        let key = try COSE.PrivateKey.generate(algorithm) { [UInt8](repeating: 7, count: $0) }
        #expect(!algorithm.signsDeterministically)
        #expect(throws: COSE.KeyError.randomizedOnly(algorithm)) { try key.sign([1], mode: .deterministic) }
    }
}
