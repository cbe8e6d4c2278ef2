internal import Foundation
internal import GRDB
internal import RelyingParty
internal import WebAuthn

/// A row of `passkey_credentials`.
struct Passkey: Sendable, FetchableRecord {
    let userID: Int64
    let record: CredentialRecord
    let deviceName: String
    let createdAt: Timestamp
    let lastUsedAt: Timestamp?
    /// The attachment reported by the client at registration.
    let attachment: String?

    private static let select = """
        SELECT passkey_credentials.*, users.user_handle FROM passkey_credentials
        JOIN users ON users.id = passkey_credentials.user_id
        """

    init(row: Row) throws {
        userID = row["user_id"]
        let aaguid: String = row["aaguid"]
        let transports: String = row["transports"]
        record = CredentialRecord(
            id: row.bytes("credential_id"), publicKey: row.bytes("public_key"), signCount: row["sign_count"],
            uvInitialized: row["uv_initialized"],
            transports: try JSONDecoder().decode([String].self, from: Data(transports.utf8)),
            backupEligible: row["backup_eligible"], backupState: row["backup_state"], aaguid: AAGUID(aaguid) ?? .zero,
            userHandle: row.bytes("user_handle"), relyingPartyID: row["relying_party_id"],
            attestationObject: row.bytes("attestation_object"),
            attestationClientDataJSON: row.bytes("client_data_json"))
        deviceName = row["device_name"]
        createdAt = row["created_at"]
        lastUsedAt = row["last_used_at"]
        attachment = row["attachment"]
    }

    static func find(_ id: [UInt8], _ db: Database) throws -> Passkey? {
        try fetchOne(db, sql: "\(select) WHERE credential_id = ?", arguments: [Data(id)])
    }

    /// A user's passkeys, the oldest first.
    static func all(of userID: Int64, _ db: Database) throws -> [Passkey] {
        try fetchAll(
            db, sql: "\(select) WHERE passkey_credentials.user_id = ? ORDER BY passkey_credentials.rowid",
            arguments: [userID])
    }

    static func count(of userID: Int64, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM passkey_credentials WHERE user_id = ?", arguments: [userID]) ?? 0
    }

    /// The owner of a credential ID, from one user's point of view (WebAuthn L3 §7.1 step 26).
    static func owner(of id: [UInt8], seenBy userID: Int64, _ db: Database) throws -> CredentialOwner {
        guard
            let owner = try Int64.fetchOne(
                db, sql: "SELECT user_id FROM passkey_credentials WHERE credential_id = ?", arguments: [Data(id)])
        else { return .unregistered }
        return owner == userID ? .thisUser : .otherUser
    }

    /// Stores a credential that passed every check.
    static func store(
        _ credential: VerifiedCredential, userID: Int64, deviceName: String, attachment: String?, at now: Timestamp,
        _ db: Database
    ) throws -> Passkey? {
        let record = credential.record
        let transports = String(decoding: try JSONEncoder().encode(record.transports), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO passkey_credentials (credential_id, user_id, public_key, aaguid, device_name, created_at,
                sign_count, uv_initialized, transports, attachment, backup_eligible, backup_state, relying_party_id,
                attestation_format, attestation_object, client_data_json)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(record.id), userID, Data(record.publicKey), record.aaguid.description, deviceName, now,
                record.signCount, record.uvInitialized, transports, attachment, record.backupEligible,
                record.backupState, record.relyingPartyID, credential.attestationFormat,
                Data(record.attestationObject), Data(record.attestationClientDataJSON),
            ])
        return try find(record.id, db)
    }

    /// Stores a credential's new state after an accepted authentication (WebAuthn L3 §7.2 step 24).
    static func apply(_ update: CredentialUpdate, at now: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE passkey_credentials SET sign_count = ?, backup_state = ?, uv_initialized = ?, last_used_at = ?
                WHERE credential_id = ?
                """,
            arguments: [update.signCount, update.backupState, update.uvInitialized, now, Data(update.id)])
    }

    static func delete(_ id: [UInt8], _ db: Database) throws {
        try db.execute(sql: "DELETE FROM passkey_credentials WHERE credential_id = ?", arguments: [Data(id)])
    }
}
