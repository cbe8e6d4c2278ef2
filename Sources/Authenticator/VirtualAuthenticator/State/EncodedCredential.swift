/// A credential in the form of storage, with what storage looks it up by.
public struct EncodedCredential: Sendable, Hashable {
    /// SHA-256 of the RP ID.
    public let relyingPartyIDHash: [UInt8]
    /// ``StoredCredential/encoded``.
    public let bytes: [UInt8]

    /// An encoded credential from its parts.
    public init(relyingPartyIDHash: [UInt8], bytes: [UInt8]) {
        self.relyingPartyIDHash = relyingPartyIDHash
        self.bytes = bytes
    }

    /// The encoded form of a credential.
    init(_ credential: StoredCredential) {
        self.init(relyingPartyIDHash: credential.relyingPartyIDHash, bytes: credential.encoded)
    }

    /// Reads the hash from ``StoredCredential/encoded``; nil for anything else.
    public init?(reading bytes: [UInt8]) {
        guard let hash = StoredCredential.relyingPartyIDHash(encoded: bytes) else { return nil }
        self.init(relyingPartyIDHash: hash, bytes: bytes)
    }
}
