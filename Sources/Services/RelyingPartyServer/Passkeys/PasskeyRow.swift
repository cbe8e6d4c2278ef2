internal import Foundation
internal import GRDB
internal import RelyingParty
internal import WebAuthn

/// A row of `passkey_credentials`.
struct PasskeyRow: TableRow, PersistableRecord {
    static let databaseTableName = "passkey_credentials"

    let credentialId: Blob
    let userId: Int64
    let publicKey: Blob
    let aaguid: String
    var deviceName: String
    let createdAt: Timestamp
    var lastUsedAt: Timestamp?
    var signCount: UInt32
    var uvInitialized: Bool
    let transports: [AuthenticatorTransport]
    /// The attachment reported by the client at registration.
    let attachment: String?
    let backupEligible: Bool
    var backupState: Bool
    let relyingPartyId: String
    let attestationFormat: String
    let attestationObject: Blob
    let clientDataJson: Blob

    init(_ credential: VerifiedCredential, userID: Int64, deviceName: String, attachment: String?, at now: Timestamp) {
        let record = credential.record
        credentialId = Blob(record.id)
        userId = userID
        publicKey = Blob(record.publicKey)
        aaguid = record.aaguid.description
        self.deviceName = deviceName
        createdAt = now
        signCount = record.signCount
        uvInitialized = record.uvInitialized
        transports = record.transports
        self.attachment = attachment
        backupEligible = record.backupEligible
        backupState = record.backupState
        relyingPartyId = record.relyingPartyID
        attestationFormat = credential.attestationFormat
        attestationObject = Blob(record.attestationObject)
        clientDataJson = Blob(record.attestationClientDataJSON)
    }

    init(row: Row) throws {
        credentialId = row["credential_id"]
        userId = row["user_id"]
        publicKey = row["public_key"]
        aaguid = row["aaguid"]
        deviceName = row["device_name"]
        createdAt = row["created_at"]
        lastUsedAt = row["last_used_at"]
        signCount = row["sign_count"]
        uvInitialized = row["uv_initialized"]
        transports = try JSONDecoder().decode([AuthenticatorTransport].self, from: row["transports"])
        attachment = row["attachment"]
        backupEligible = row["backup_eligible"]
        backupState = row["backup_state"]
        relyingPartyId = row["relying_party_id"]
        attestationFormat = row["attestation_format"]
        attestationObject = row["attestation_object"]
        clientDataJson = row["client_data_json"]
    }

    func record(of owner: AccountRow) -> CredentialRecord {
        CredentialRecord(
            id: credentialId.bytes, publicKey: publicKey.bytes, signCount: signCount, uvInitialized: uvInitialized,
            transports: transports, backupEligible: backupEligible, backupState: backupState,
            aaguid: AAGUID(aaguid) ?? .zero, userHandle: owner.userHandle.bytes, relyingPartyID: relyingPartyId)
    }

    /// The descriptor in allow and exclude lists.
    var descriptor: CredentialDescriptor {
        CredentialDescriptor(id: credentialId.bytes, transports: transports.isEmpty ? nil : transports)
    }

    static func find(_ id: [UInt8], _ db: Database) throws -> PasskeyRow? { try find("credential_id", Blob(id), db) }

    /// The owner of a credential ID, from one user's point of view (WebAuthn L3 §7.1 step 26).
    static func owner(of id: [UInt8], seenBy userID: Int64, _ db: Database) throws -> CredentialOwner {
        guard let passkey = try find(id, db) else { return .unregistered }
        return passkey.userId == userID ? .thisUser : .otherUser
    }

    /// Stores a credential's new state after an accepted authentication (WebAuthn L3 §7.2 step 24).
    ///
    /// - Returns: whether the stored credential still has the state by which the response was judged; otherwise it is
    ///   unchanged.
    func apply(_ update: CredentialUpdate, at now: Timestamp, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE passkey_credentials SET sign_count = ?, backup_state = ?, uv_initialized = ?, last_used_at = ?
                WHERE credential_id = ? AND sign_count = ? AND backup_state = ? AND uv_initialized = ?
                """
        ).execute(arguments: [
            update.signCount, update.backupState, update.uvInitialized, now, credentialId, signCount, backupState,
            uvInitialized,
        ])
        return db.changesCount == 1
    }
}
