import COSE
import CryptoExtras
import Testing

/// Built with the traits off; ClosureTests does it.
@Suite("Without the libraries of a trait")
struct AbsentAlgorithmTests {
    private static func description(of error: COSE.KeyError?) -> String { error.map { "\($0)" } ?? "" }

    @Test func theSupportedAlgorithmsAreThoseOfSwiftCrypto() {
        #expect(
            COSE.Algorithm.supported == [
                .es256, .edDSA, .esp256, .ed25519, .es384, .es512, .esp384, .esp512, .mlDSA65, .mlDSA87,
            ])
    }

    @Test(arguments: [
        (COSE.Algorithm.es256K, "ES256K needs libcrypto, which this build does not have"),
        (.ed448, "Ed448 needs libcrypto, which this build does not have"),
        (.rs256, "new RS256 keys need libcrypto, which this build does not have"),
        (.ps256, "new PS256 keys need libcrypto, which this build does not have"),
        (.mlDSA44, "ML-DSA-44 is not supported"),
    ])
    func aKeyOfAnAbsentAlgorithmIsNotMade(algorithm: COSE.Algorithm, words: String) {
        let error = #expect(throws: COSE.KeyError.self) {
            try COSE.PrivateKey.generate(algorithm) { [UInt8](repeating: 7, count: $0) }
        }
        #expect(error == .unsupportedAlgorithm(algorithm))
        #expect(Self.description(of: error) == words)
    }

    @Test(arguments: [(COSE.Algorithm.es256K, 32), (.ed448, 57)])
    func aKeyOfAnAbsentAlgorithmIsNotRead(algorithm: COSE.Algorithm, length: Int) {
        let bytes = [UInt8](repeating: 7, count: length)
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(algorithm)) {
            try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: bytes)
        }
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(algorithm)) {
            try COSE.PublicKey(algorithm: algorithm, x: bytes, y: algorithm == .es256K ? bytes : [])
        }
    }

    @Test func anRSAKeySignsAndVerifies() throws {
        let made = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let key = try COSE.PrivateKey(algorithm: .rs256, rawRepresentation: Array(made.derRepresentation))
        let signature = try key.sign([1, 2, 3])
        #expect(key.publicKey.verify(signature, over: [1, 2, 3]))
        #expect(!key.publicKey.verify(signature, over: [1, 2, 4]))
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(.rs256)) {
            try COSE.PrivateKey(algorithm: .rs256, primes: ([3], [5]))
        }
    }

    @Test(arguments: COSE.Algorithm.supported)
    func everySupportedAlgorithmSigns(algorithm: COSE.Algorithm) throws {
        let key = try COSE.PrivateKey.generate(algorithm) { (0..<$0).map { UInt8(truncatingIfNeeded: $0 + 1) } }
        #expect(key.publicKey.verify(try key.sign([1]), over: [1]))
        let mode = COSE.SigningMode.deterministic.possible(for: algorithm)
        #expect((mode == .deterministic) == algorithm.signsDeterministically)
        #expect(key.publicKey.verify(try key.sign([1], mode: mode), over: [1]))
    }

    @Test func aSignatureThatRepeatsIsRefused() throws {
        let key = try COSE.PrivateKey.generate(.es256) { [UInt8](repeating: 7, count: $0) }
        let error = #expect(throws: COSE.KeyError.self) { try key.sign([1], mode: .deterministic) }
        #expect(error == .randomizedOnly(.es256))
        #expect(
            Self.description(of: error) == "ES256 signatures are always randomized in a build without libcrypto")
        let repeating = try COSE.PrivateKey.generate(.edDSA) { [UInt8](repeating: 7, count: $0) }
        #expect(try repeating.sign([1], mode: .deterministic) == repeating.sign([1], mode: .deterministic))
    }
}
