public import COSE

/// The subject of a statement.
public struct AttestationSubject: Sendable {
    /// The authenticator data, as sent.
    public var authenticatorData: [UInt8]
    /// SHA-256 of the client data.
    public var clientDataHash: [UInt8]
    /// SHA-256 of the RP ID.
    public var relyingPartyIDHash: [UInt8]
    /// The new credential's ID.
    public var credentialID: [UInt8]
    /// The new credential's key.
    public var privateKey: COSE.PrivateKey

    /// Describes the subject.
    public init(
        authenticatorData: [UInt8], clientDataHash: [UInt8], relyingPartyIDHash: [UInt8], credentialID: [UInt8],
        privateKey: COSE.PrivateKey
    ) {
        (self.authenticatorData, self.clientDataHash) = (authenticatorData, clientDataHash)
        (self.relyingPartyIDHash, self.credentialID, self.privateKey) = (relyingPartyIDHash, credentialID, privateKey)
    }

    /// The bytes that most formats sign.
    var signedBytes: [UInt8] { authenticatorData + clientDataHash }
}
