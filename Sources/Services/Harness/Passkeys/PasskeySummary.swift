internal import RelyingParty
internal import WebAuthn

/// A passkey, as shown to its owner.
struct PasskeySummary: Encodable, Sendable {
    let credentialId: Base64URLBytes
    let aaguid: String
    let deviceName: String
    let createdAt: Timestamp
    let lastUsedAt: Timestamp?
    let transports: [String]
    let attachment: String?
    let backupEligible: Bool
    let backupState: Bool
    let signCount: UInt32

    init(_ passkey: Passkey) {
        credentialId = Base64URLBytes(passkey.record.id)
        aaguid = passkey.record.aaguid.description
        deviceName = passkey.deviceName
        createdAt = passkey.createdAt
        lastUsedAt = passkey.lastUsedAt
        transports = passkey.record.transports
        attachment = passkey.attachment
        backupEligible = passkey.record.backupEligible
        backupState = passkey.record.backupState
        signCount = passkey.record.signCount
    }
}

/// The answer to `GET /passkeys`.
struct PasskeyList: Encodable, Sendable {
    let passkeys: [PasskeySummary]
}
