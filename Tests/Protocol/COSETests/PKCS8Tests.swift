import COSE
import Foundation
import TestSupport
import Testing

/// Private keys as PKCS #8, against Python's `cryptography`.
@Suite struct PKCS8Tests {
    /// Algorithms whose keys name them by themselves.
    private static let algorithms: [COSE.Algorithm] = [
        .es256, .es384, .es512, .es256K, .edDSA, .ed448, .rs256, .mlDSA65, .mlDSA87,
    ]

    /// Prints a key of each kind, as PKCS #8 and with its public half.
    private static let keys = """
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, ed448, mldsa, rsa
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
        for key in [
            *(ec.generate_private_key(curve()) for curve in (ec.SECP256R1, ec.SECP384R1, ec.SECP521R1, ec.SECP256K1)),
            ed25519.Ed25519PrivateKey.generate(), ed448.Ed448PrivateKey.generate(),
            rsa.generate_private_key(65537, 2048), mldsa.MLDSA65PrivateKey.generate(),
            mldsa.MLDSA87PrivateKey.generate(),
        ]:
            print(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()).hex(),
                  key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex())
        """

    /// Reads keys and answers each with its public half.
    private static let reader = """
        import sys
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_private_key
        for line in sys.stdin:
            key = load_der_private_key(bytes.fromhex(line), None).public_key()
            print(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex())
        """

    private static func bytes(_ hex: Substring) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
        }
    }

    @Test("Keys that cryptography wrote are read, each for the algorithm its kind is tied to")
    func foreignKeysAreRead() async throws {
        let lines = try await Python.run(script: Self.keys).lines
        #expect(lines.count == Self.algorithms.count)
        for (line, algorithm) in zip(lines, Self.algorithms) {
            let parts = line.split(separator: " ")
            let key = try COSE.PrivateKey(pkcs8Representation: Self.bytes(parts[0]))
            #expect(key.algorithm == algorithm)
            #expect(key.publicKey.subjectPublicKeyInfo == Self.bytes(parts[1]))
        }
    }

    @Test("Keys that are written here are read by cryptography, and here again")
    func ownKeysAreRead() async throws {
        var generator = SeededGenerator(seed: 8)
        let keys = try Self.algorithms.map { try COSE.PrivateKey.generate($0) { generator.bytes($0) } }
        let input = keys.map { key in key.pkcs8Representation.map { String(format: "%02x", $0) }.joined() }
        let lines = try await Python.run(script: Self.reader, standardInput: input.joined(separator: "\n")).lines
        #expect(lines.map(Self.bytes) == keys.map(\.publicKey.subjectPublicKeyInfo))
        for key in keys {
            let again = try COSE.PrivateKey(pkcs8Representation: key.pkcs8Representation)
            #expect(again.rawRepresentation == key.rawRepresentation)
            #expect(again.algorithm == key.algorithm)
        }
    }

    @Test("Bytes of another form are refused wherever they are cut or changed")
    func otherBytesAreRefused() throws {
        var generator = SeededGenerator(seed: 9)
        for algorithm in [COSE.Algorithm.es256, .edDSA, .mlDSA65] {
            let whole = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }.pkcs8Representation
            for count in 0..<whole.count {
                #expect(throws: COSE.KeyError.self) {
                    try COSE.PrivateKey(pkcs8Representation: Array(whole.prefix(count)))
                }
            }
            #expect(throws: COSE.KeyError.self) { try COSE.PrivateKey(pkcs8Representation: whole + [0]) }
            for index in whole.indices {
                var changed = whole
                changed[index] ^= 0x55
                // A changed scalar is another key; nothing may crash.
                _ = try? COSE.PrivateKey(pkcs8Representation: changed)
            }
        }
    }
}
