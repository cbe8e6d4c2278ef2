import CBOR
import COSE
import TestSupport
import Testing

/// Keys as X.509 carries them.
struct SubjectPublicKeyInfoTests {
    private static func key(_ algorithm: COSE.Algorithm) throws -> COSE.PublicKey {
        var generator = SeededGenerator(seed: 5)
        return try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }.publicKey
    }

    @Test(arguments: COSE.Algorithm.supported)
    func aKeyRoundTripsThroughItsSubjectPublicKeyInfo(algorithm: COSE.Algorithm) throws {
        let key = try Self.key(algorithm)
        #expect(try COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: key.subjectPublicKeyInfo) == key)
    }

    /// Python reads each and prints it as it writes it itself.
    @Test func pythonWritesTheSameBytes() async throws {
        let keys = try COSE.Algorithm.supported.map(Self.key)
        let script = """
            import sys
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key
            for line in sys.stdin:
                key = load_der_public_key(bytes.fromhex(line))
                print(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex())
            """
        let input = keys.map { $0.subjectPublicKeyInfo.hex + "\n" }.joined()
        let output = try await Python.run(script: script, standardInput: input)
        #expect(output.lines.map(String.init) == keys.map(\.subjectPublicKeyInfo.hex))
    }

    @Test func aKeyOfAnotherAlgorithmIsRefused() throws {
        let p256 = try Self.key(.es256).subjectPublicKeyInfo
        #expect(throws: COSE.KeyError.curveMismatch(.es384, curve: 1)) {
            try COSE.PublicKey(algorithm: .es384, subjectPublicKeyInfo: p256)
        }
        #expect(throws: COSE.KeyError.keyTypeMismatch(.rs256, keyType: 2)) {
            try COSE.PublicKey(algorithm: .rs256, subjectPublicKeyInfo: p256)
        }
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(.mlDSA44)) {
            try COSE.PublicKey(algorithm: .mlDSA44, subjectPublicKeyInfo: p256)
        }
        let mlDSA87 = try Self.key(.mlDSA87).subjectPublicKeyInfo
        #expect(throws: COSE.KeyError.malformed("it is an ML-DSA key of another parameter set")) {
            try COSE.PublicKey(algorithm: .mlDSA65, subjectPublicKeyInfo: mlDSA87)
        }
    }

    @Test(arguments: [[], [0x30], [0x30, 0x00], [0x30, 0x02, 0x02, 0x00], [0x04, 0x00], [0x30, 0x80]] as [[UInt8]])
    func aRefusalNamesNoPositionInALibrary(bytes: [UInt8]) throws {
        for read in [
            { _ = try COSE.PublicKey(algorithm: .es256, subjectPublicKeyInfo: bytes) },
            { _ = try COSE.PrivateKey(pkcs8Representation: bytes) },
        ] as [() throws -> Void] {
            let error = try #require(#expect(throws: COSE.KeyError.self) { try read() })
            #expect(error.description.contains("in DER: ") && !error.description.contains(".swift"))
        }
    }

    @Test func aCompressedPointIsRefused() throws {
        let key = try Self.key(.es256)
        var bytes = key.subjectPublicKeyInfo
        bytes.removeLast(32)
        bytes[bytes.count - 33] = 0x02
        bytes[1] -= 32
        bytes[24] -= 32
        #expect(throws: COSE.KeyError.compressedPoint) {
            try COSE.PublicKey(algorithm: .es256, subjectPublicKeyInfo: bytes)
        }
    }

    @Test(arguments: COSE.Algorithm.supported)
    func truncatedAndExtendedBytesAreRefused(algorithm: COSE.Algorithm) throws {
        let good = try Self.key(algorithm).subjectPublicKeyInfo
        for bytes in [[], Array(good.dropLast()), Array(good.dropFirst()), good + [0], [0x30, 0x00]] as [[UInt8]] {
            #expect(throws: COSE.KeyError.self) {
                try COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: bytes)
            }
        }
    }
}
