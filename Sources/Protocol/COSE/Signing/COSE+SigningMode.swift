extension COSE {
    /// The source of a signature's randomness.
    public enum SigningMode: Hashable, Sendable {
        /// The system's random numbers, for algorithms that use any.
        case randomized
        /// The key and the message alone, so that signing again gives the same bytes.
        ///
        /// ECDSA follows RFC 6979; PS256 takes its salt from the generator of RFC 6979 §3.2 too. The other algorithms
        /// but ML-DSA use no randomness. A build without libcrypto has neither RFC 6979 nor the salt, and refuses to sign
        /// with ECDSA and PS256 in this mode. The arithmetic is not in constant time: use it for a simulator's keys, and
        /// never for real ones.
        case deterministic

        /// This mode, or `randomized` for an algorithm that signs with fresh randomness only: ML-DSA, and without libcrypto
        /// also ECDSA and PS256.
        public func possible(for algorithm: Algorithm) -> SigningMode {
            algorithm.signsDeterministically ? self : .randomized
        }
    }
}
