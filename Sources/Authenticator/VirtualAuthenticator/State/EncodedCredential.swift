/// A credential in its stored form, with the hash of its RP ID, which storage keeps in a column.
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

    init(_ credential: StoredCredential) {
        self.init(relyingPartyIDHash: credential.relyingPartyIDHash, bytes: credential.encoded)
    }

    /// Reads ``StoredCredential/encoded`` and the credential's ID; nil if the bytes are not an encoded credential.
    public static func reading(_ bytes: [UInt8]) -> (id: [UInt8], credential: EncodedCredential)? {
        StoredCredential.names(encoded: bytes).map { names in
            (names.id, EncodedCredential(relyingPartyIDHash: names.relyingPartyIDHash, bytes: bytes))
        }
    }
}
