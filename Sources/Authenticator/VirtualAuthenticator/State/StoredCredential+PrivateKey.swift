package import COSE

extension StoredCredential {
    /// The private key's own bytes, such as the 32 bytes of a P-256 scalar, for a search in recorded traffic.
    package var privateKeyBytes: [UInt8] { privateKey.rawRepresentation }

    /// The private key, for a document of passkeys.
    package var signingKey: COSE.PrivateKey { privateKey }
}
