extension COSE {
    /// Where a signature's randomness comes from.
    public enum SigningMode: Hashable, Sendable {
        /// The system's random numbers, for the algorithms that take any.
        case randomized
        /// The key and the message alone, so that signing again gives the same bytes.
        ///
        /// ECDSA follows RFC 6979; PS256 takes its salt from the generator of RFC 6979 §3.2 too. The other algorithms
        /// but ML-DSA have no randomness to begin with. The arithmetic is not in constant time: this is for a
        /// simulator's keys, whose runs should repeat, and not for keys whose owner could be timed.
        case deterministic

        /// This mode, or for ML-DSA, which the library only signs with fresh randomness, the one it has.
        public func possible(for algorithm: Algorithm) -> SigningMode {
            if case .mlDSA = algorithm.scheme { .randomized } else { self }
        }
    }
}
