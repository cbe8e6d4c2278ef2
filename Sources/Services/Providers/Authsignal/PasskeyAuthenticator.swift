internal import RelyingPartyServer

/// A passkey in the form of Authsignal's `Authenticator`.
struct PasskeyAuthenticator: Encodable {
    struct Credential: Encodable {
        let credentialId: String
        let name: String
        let verifiedAt: String
    }

    let userAuthenticatorId: String
    let verificationMethod = "PASSKEY"
    let createdAt: String
    let lastVerifiedAt: String?
    let displayName: String
    let webauthnCredential: Credential

    init(_ passkey: RelyingPartyPasskey) {
        userAuthenticatorId = passkey.credentialId
        createdAt = passkey.createdAt
        lastVerifiedAt = passkey.lastUsedAt
        displayName = passkey.deviceName
        webauthnCredential = Credential(
            credentialId: passkey.credentialId, name: passkey.deviceName,
            verifiedAt: passkey.lastUsedAt ?? passkey.createdAt)
    }
}
