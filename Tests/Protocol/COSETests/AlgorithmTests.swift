import COSE
import Testing

struct AlgorithmTests {
    static let registered: [(number: Int, name: String)] = [
        (-7, "ES256"), (-8, "EdDSA"), (-9, "ESP256"), (-19, "Ed25519"), (-25, "ECDH-ES+HKDF-256"), (-35, "ES384"),
        (-36, "ES512"), (-37, "PS256"), (-47, "ES256K"), (-48, "ML-DSA-44"), (-49, "ML-DSA-65"), (-50, "ML-DSA-87"),
        (-51, "ESP384"), (-52, "ESP512"), (-53, "Ed448"),
        (-257, "RS256"),
    ]

    @Test(arguments: registered)
    func anAlgorithmHasItsRegisteredNameBothWays(number: Int, name: String) {
        let algorithm = COSE.Algorithm(rawValue: number)
        #expect(algorithm.name == name)
        #expect(algorithm.description == name)
        #expect(COSE.Algorithm(name: name) == algorithm)
    }

    @Test func anUnknownAlgorithmIsCalledByItsNumber() {
        #expect(COSE.Algorithm(rawValue: -65_536).name == nil)
        #expect(COSE.Algorithm(rawValue: -65_536).description == "COSE algorithm -65536")
        #expect(COSE.Algorithm(name: "es256") == nil)
    }

    @Test(arguments: [
        (COSE.Algorithm.es256, 32), (.es256K, 32), (.es384, 48), (.es512, 64), (.rs256, 32), (.ps256, 32),
    ])
    func anAlgorithmWithAHashFunctionHashesMessages(algorithm: COSE.Algorithm, length: Int) {
        #expect(algorithm.hash(of: [1])?.count == length)
        #expect(algorithm.hash(of: [1]) != algorithm.hash(of: [2]))
    }

    @Test(arguments: [COSE.Algorithm.edDSA, .ed448, .mlDSA65, .mlDSA87, .mlDSA44, COSE.Algorithm(rawValue: 0)])
    func anAlgorithmWithoutAHashFunctionHashesNothing(algorithm: COSE.Algorithm) {
        #expect(algorithm.hash(of: [1]) == nil)
    }
}
