extension COSE {
    /// The source of a signature's randomness.
    public enum SigningMode: Hashable, Sendable {
        /// The system's random numbers, for algorithms that use any.
        case randomized
        /// The key and the message alone, so that signing again gives the same bytes.
        ///
        /// ECDSA follows RFC 6979; PS256 takes its salt from the generator of RFC 6979 §3.2 too. The other algorithms
        /// but ML-DSA use no randomness. The arithmetic is not in constant time: use it for a simulator's keys, and
        /// never for real ones.
        case deterministic

        /// This mode, or `randomized` for ML-DSA, which the library signs with fresh randomness only.
        public func possible(for algorithm: Algorithm) -> SigningMode {
            if case .mlDSA = algorithm.scheme { .randomized } else { self }
        }
    }
}
