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

    /// Whether the machine can afford this cost: at most 1 GiB, and eight times the usual time.
    package var isReasonable: Bool {
        (2...1_048_576).contains(rounds) && rounds.nonzeroBitCount == 1 && (1...16).contains(blockSize)
            && (1...16).contains(parallelism) && rounds * blockSize * parallelism <= 1 << 23
    }
}
