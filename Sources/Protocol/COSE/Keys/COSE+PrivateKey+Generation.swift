extension COSE.PrivateKey {
    /// Makes a new key from random bytes; a seeded source gives the same key each time.
    ///
    /// RSA keys have 2048 bits and take a few tenths of a second; a build without libcrypto cannot make them
    /// (``COSE/Algorithm/supported``).
    ///
    /// - Throws: ``COSE/KeyError/unsupportedAlgorithm(_:)``, or ``COSE/KeyError/invalidPrivateKey`` when the source
    ///   keeps returning bytes that are not a key, as a broken source does.
    public static func generate(
        _ algorithm: COSE.Algorithm, randomBytes: (Int) -> [UInt8]
    ) throws(COSE.KeyError) -> COSE.PrivateKey {
        switch algorithm.scheme {
        case .rsa:
            #if SYSTEM_LIBRARIES
            let key = try RSA.generate(randomBytes: randomBytes)
            do {
                return try COSE.PrivateKey(algorithm: algorithm, material: .rsa(key))
            } catch {
                throw .invalidPrivateKey
            }
            #else
            throw .unsupportedAlgorithm(algorithm)
            #endif
        case .ecdsa(let curve, _), .edDSA(let curve):
            return try generate(algorithm, length: curve.coordinateLength, randomBytes: randomBytes)
        case .mlDSA: return try generate(algorithm, length: 32, randomBytes: randomBytes)
        case nil: throw .unsupportedAlgorithm(algorithm)
        }
    }

    private static func generate(
        _ algorithm: COSE.Algorithm, length: Int, randomBytes: (Int) -> [UInt8]
    ) throws(COSE.KeyError) -> COSE.PrivateKey {
        // Almost every random string is a valid scalar; P-521 uses only one bit of its first byte.
        for _ in 0..<64 {
            var candidate = randomBytes(length)
            if case .ecdsa(.p521, _) = algorithm.scheme, !candidate.isEmpty { candidate[0] &= 0x01 }
            if let key = try? COSE.PrivateKey(algorithm: algorithm, rawRepresentation: candidate) { return key }
        }
        throw .invalidPrivateKey
    }
}
