internal import CryptoExtras

extension COSE.PrivateKey {
    /// A new RSA key of 2,048 bits from the system's randomness; without libcrypto no other source can make one.
    package static func randomRSA(_ algorithm: COSE.Algorithm) throws -> COSE.PrivateKey {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        return try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: Array(key.derRepresentation))
    }
}
