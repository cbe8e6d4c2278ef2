import Machine
import Testing

/// Keys from passwords.
struct ScryptCostTests {
    /// The beginnings of the vectors of RFC 7914 §12.
    @Test(
        arguments: [
            ("", "", ScryptCost(rounds: 16, blockSize: 1, parallelism: 1), [0x77, 0xD6, 0x57, 0x62]),
            ("password", "NaCl", ScryptCost(rounds: 1024, blockSize: 8, parallelism: 16), [0xFD, 0xBA, 0xBE, 0x1C]),
        ] as [(String, String, ScryptCost, [UInt8])])
    func keysAreThoseOfTheSpecification(secret: String, salt: String, cost: ScryptCost, beginning: [UInt8]) throws {
        let key = try cost.key(from: Array(secret.utf8), salt: Array(salt.utf8))
        #expect(key.count == 32)
        #expect(Array(key.prefix(4)) == beginning)
    }

    @Test(arguments: [
        ScryptCost(rounds: -1), ScryptCost(rounds: 3), ScryptCost(rounds: .max), ScryptCost(blockSize: -8),
        ScryptCost(parallelism: 0),
    ])
    func aCostOfADamagedFileIsRefused(cost: ScryptCost) {
        #expect(throws: ScryptFailure.self) { try cost.key(from: [1], salt: [2]) }
    }
}
