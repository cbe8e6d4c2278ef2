internal import Crypto
internal import Foundation
internal import Machine
internal import WebAuthn

/// A stored password hash, `scrypt$N$r$p$salt$key`; every hash contains its cost.
enum PasswordHash {
    /// The accepted lengths in bytes; the upper limit bounds the cost of hashing.
    static let acceptedLengths = 8...1024

    static func make(_ password: String, cost: ScryptCost, salt: [UInt8]) throws -> String {
        let key = try cost.key(from: Array(password.utf8), salt: salt)
        let fields = [cost.rounds, cost.blockSize, cost.parallelism].map(String.init)
        return (["scrypt"] + fields + [Base64URL.encode(salt), Base64URL.encode(key)])
            .joined(separator: "$")
    }

    static func has(_ cost: ScryptCost, _ stored: String) -> Bool {
        let fields = stored.split(separator: "$").dropFirst().prefix(3).map { Int($0) }
        return fields == [cost.rounds, cost.blockSize, cost.parallelism]
    }

    /// Whether a password matches a stored hash; malformed stored text matches no password.
    static func matches(_ password: String, _ stored: String) throws -> Bool {
        let fields = stored.split(separator: "$")
        guard fields.count == 6, fields[0] == "scrypt", let rounds = Int(fields[1]), let blockSize = Int(fields[2]),
            let parallelism = Int(fields[3]), let salt = Base64URL.decode(String(fields[4])),
            let expected = Base64URL.decode(String(fields[5]))
        else { return false }
        let cost = ScryptCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        // Keys are compared in constant time.
        return SymmetricKey(data: try cost.key(from: Array(password.utf8), salt: salt)) == SymmetricKey(data: expected)
    }
}
