internal import COpenSSL

/// The parameters of scrypt (RFC 7914 §2): the cost of each guess at a passphrase or a password.
package struct ScryptCost: Hashable, Sendable {
    /// N, a power of two greater than 1.
    package var rounds: Int
    /// r.
    package var blockSize: Int
    /// p.
    package var parallelism: Int

    /// A cost; default: 128 MiB and a few tenths of a second (OWASP Password Storage Cheat Sheet, scrypt).
    package init(rounds: Int = 131_072, blockSize: Int = 8, parallelism: Int = 1) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The cost of the passwords of made-up accounts: a millisecond or two, so that many accounts keep no computer busy.
    package static let ofMadeUpAccounts = ScryptCost(rounds: 1024)

    /// The cost of passwords in this build: the usual one, and in a debug build a small one, so that its users do not wait.
    package static var ofThisBuild: ScryptCost {
        #if DEBUG
        ofMadeUpAccounts
        #else
        ScryptCost()
        #endif
    }

    /// Whether the machine can afford this cost: at most 1 GiB, and eight times the usual time.
    package var isReasonable: Bool {
        (2...1_048_576).contains(rounds) && rounds.nonzeroBitCount == 1 && (1...16).contains(blockSize)
            && (1...16).contains(parallelism) && rounds * blockSize * parallelism <= 1 << 23
    }

    /// Derives 32 bytes with the system's OpenSSL, which is quick in debug builds, too (RFC 7914).
    ///
    /// - Throws: ``ScryptFailure`` for a cost that is not reasonable, such as one of a damaged file.
    package func key(from secret: [UInt8], salt: [UInt8]) throws(ScryptFailure) -> [UInt8] {
        guard isReasonable else { throw ScryptFailure() }
        var key = [UInt8](repeating: 0, count: 32)
        let memory = UInt64(256) * UInt64(rounds) * UInt64(blockSize) + (1 << 20)
        let isDone = secret.withUnsafeBytes { secret in
            EVP_PBE_scrypt(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), secret.count, salt, salt.count, UInt64(rounds),
                UInt64(blockSize), UInt64(parallelism), memory, &key, key.count) == 1
        }
        guard isDone else {
            ERR_clear_error()
            throw ScryptFailure()
        }
        return key
    }
}

/// OpenSSL derives no key at a cost.
package struct ScryptFailure: Error, CustomStringConvertible {
    package let description = "no key can be derived at this cost of scrypt"
}
