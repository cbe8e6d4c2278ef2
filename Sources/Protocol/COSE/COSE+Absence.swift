extension COSE.Algorithm {
    /// Whether the build has OpenSSL's libcrypto: with the trait `SystemLibraries` on Linux.
    static var libcryptoIsPresent: Bool {
        #if SYSTEM_LIBRARIES
        true
        #else
        false
        #endif
    }

    /// Whether the build has ML-DSA: CryptoKit has it on the newest systems only, so that it is left out on Apple's.
    static var mlDSAIsPresent: Bool {
        #if canImport(Darwin)
        false
        #else
        true
        #endif
    }

    /// The reason why this build cannot make keys of the algorithm, where other builds can; nil for an algorithm that it has,
    /// and for one that no build has.
    package var absence: String? {
        switch knownScheme {
        case .ecdsa(.secp256k1, _) where !Self.libcryptoIsPresent, .edDSA(.ed448) where !Self.libcryptoIsPresent:
            "\(self) needs libcrypto, which this build does not have"
        case .rsa where !Self.libcryptoIsPresent: "new \(self) keys need libcrypto, which this build does not have"
        case .mlDSA where !Self.mlDSAIsPresent: "\(self) is absent on Apple's systems"
        case .ecdsa, .edDSA, .rsa, .mlDSA, nil: nil
        }
    }

    /// The scheme of this algorithm; nil if it is unsupported, also in this build alone.
    ///
    /// RSA keys verify and sign without libcrypto, which only makes them.
    var scheme: COSE.Scheme? {
        switch knownScheme {
        case .rsa(let padding, let digest): .rsa(padding, digest)
        case let scheme: absence == nil ? scheme : nil
        }
    }
}
