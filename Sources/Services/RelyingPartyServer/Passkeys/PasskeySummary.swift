internal import GRDB
internal import WebAuthn

/// A passkey, as shown to its owner: the columns of ``PasskeyRow`` without keys and attestation.
struct PasskeySummary: TableRow {
    static let databaseTableName = PasskeyRow.databaseTableName

    let credentialId: Blob
    let aaguid: String
    let deviceName: String
    let createdAt: Timestamp
    let lastUsedAt: Timestamp?
    let transports: [AuthenticatorTransport]
    let attachment: String?
    let backupEligible: Bool
    let backupState: Bool
    let signCount: UInt32
}

extension AccountRow {
    /// The account's passkeys, the oldest first.
    func passkeys<Row: TableRow>(as type: Row.Type, _ db: Database) throws -> [Row] {
        try Row.filter(Column("user_id") == id).order(Column.rowID).fetchAll(db)
    }

    func passkeys(_ db: Database) throws -> [PasskeyRow] { try passkeys(as: PasskeyRow.self, db) }
}
