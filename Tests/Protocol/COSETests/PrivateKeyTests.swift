import CBOR
import COSE
import TestSupport
import Testing

struct PrivateKeyTests {
    @Test(arguments: COSE.Algorithm.supported)
    func aSeededSourceGivesTheSameKeyEachTime(algorithm: COSE.Algorithm) throws {
        // Finding primes takes its time.
        let count = algorithm == .rs256 || algorithm == .ps256 ? 2 : 8
        func keys(seed: UInt64) throws -> [COSE.PrivateKey] {
            var generator = SeededGenerator(seed: seed)
            return try (0..<count).map { _ in try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) } }
        }
        let first = try keys(seed: 1)
        #expect(try keys(seed: 1).map(\.rawRepresentation) == first.map(\.rawRepresentation))
        #expect(Set(try keys(seed: 1).map(\.publicKey)) == Set(first.map(\.publicKey)))
        #expect(Set(first.map(\.rawRepresentation)).count == count)
        #expect(Set(try keys(seed: 2).map(\.rawRepresentation)).isDisjoint(with: first.map(\.rawRepresentation)))
        for key in first {
            let again = try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: key.rawRepresentation)
            #expect(again.publicKey == key.publicKey)
            #expect(try COSE.PublicKey(cbor: CBOR.decode(key.publicKey.encoded)) == key.publicKey)
        }
    }

    @Test(arguments: [COSE.Algorithm.es256, .es384, .es512, .es256K])
    func aSourceThatFirstReturnsNoScalarIsAskedAgain(algorithm: COSE.Algorithm) throws {
        var calls = 0
        let key = try COSE.PrivateKey.generate(algorithm) { count in
            calls += 1
            return [UInt8](repeating: 0, count: count - 1) + [calls == 3 ? 1 : 0]
        }
        #expect(calls == 3)
        #expect(key.rawRepresentation.last == 1)
    }

    @Test(arguments: [COSE.Algorithm.es256, .es384, .es512, .es256K, .rs256, .ps256])
    func aSourceThatOnlyReturnsZerosIsAnError(algorithm: COSE.Algorithm) {
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey.generate(algorithm) { [UInt8](repeating: 0, count: $0) }
        }
    }

    @Test(arguments: COSE.Algorithm.supported)
    func aSourceThatReturnsTheWrongNumberOfBytesIsGivenUp(algorithm: COSE.Algorithm) {
        for surplus in [-1, 1] {
            #expect(throws: COSE.KeyError.invalidPrivateKey) {
                try COSE.PrivateKey.generate(algorithm) { [UInt8](repeating: 1, count: $0 + surplus) }
            }
        }
        #expect(throws: COSE.KeyError.invalidPrivateKey) { try COSE.PrivateKey.generate(algorithm) { _ in [] } }
    }

    @Test(arguments: [COSE.Algorithm.es256, .esp256, .es384, .esp384, .es512, .esp512, .es256K])
    func aScalarMustLieBetweenZeroAndTheOrder(algorithm: COSE.Algorithm) throws {
        let one = try COSE.PrivateKey.generate(algorithm) { [UInt8](repeating: 0, count: $0 - 1) + [1] }
        let order = groupOrder(one.publicKey.curve)
        try #require(order.count == one.publicKey.curve?.coordinateLength)
        var largest = order
        largest[largest.count - 1] -= 1
        let negated = try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: largest).publicKey
        // n − 1 times the base point is the base point's mirror image.
        #expect(negated.x == one.publicKey.x)
        #expect(negated.y != one.publicKey.y)

        let zero = [UInt8](repeating: 0, count: order.count)
        let full = [UInt8](repeating: 0xFF, count: order.count)
        for scalar in [zero, order, full, [], Array(largest.dropFirst()), [0] + largest] {
            #expect(throws: COSE.KeyError.invalidPrivateKey) {
                try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: scalar)
            }
        }
    }

    @Test(arguments: [0, 31, 33, 64])
    func anEd25519SeedHasThirtyTwoBytes(length: Int) {
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey(algorithm: .ed25519, rawRepresentation: [UInt8](repeating: 1, count: length))
        }
    }

    @Test(arguments: [0, 32, 56, 58, 114])
    func anEd448SeedHasFiftySevenBytes(length: Int) {
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey(algorithm: .ed448, rawRepresentation: [UInt8](repeating: 1, count: length))
        }
    }

    @Test(arguments: [COSE.Algorithm.mlDSA65, .mlDSA87], [0, 31, 33, 4032])
    func anMLDSASeedHasThirtyTwoBytes(algorithm: COSE.Algorithm, length: Int) {
        #expect(throws: COSE.KeyError.invalidPrivateKey) {
            try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: [UInt8](repeating: 1, count: length))
        }
    }

    @Test(arguments: [COSE.Algorithm.mlDSA44, .ecdhESHKDF256, COSE.Algorithm(rawValue: 0)])
    func aKeyOfAnUnsupportedAlgorithmCannotBeMade(algorithm: COSE.Algorithm) {
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(algorithm)) {
            try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: [UInt8](repeating: 1, count: 32))
        }
        #expect(throws: COSE.KeyError.unsupportedAlgorithm(algorithm)) {
            try COSE.PrivateKey.generate(algorithm) { [UInt8](repeating: 1, count: $0) }
        }
    }

    @Test(arguments: KnownAnswer.all)
    func theDescriptionOfAPrivateKeyDoesNotContainIt(vector: KnownAnswer) throws {
        let key = try COSE.PrivateKey(algorithm: vector.algorithm, rawRepresentation: vector.privateKey)
        #expect(key.description == "\(vector.algorithm) private key")
        #expect("\(key)" == key.description)
    }
}
