internal import GRDB

/// A row of `users`.
struct AccountRow: TableRow, MutablePersistableRecord {
    static let databaseTableName = "users"

    private(set) var id: Int64?
    /// 32 random bytes; a user handle must not identify the user (WebAuthn L3 §14.6.1).
    let userHandle: Blob
    let username: String
    let displayName: String
    var passwordHash: String?
    let createdAt: Timestamp

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    init(username: String, displayName: String, userHandle: [UInt8], passwordHash: String?, createdAt: Timestamp) {
        self.username = username
        self.displayName = displayName
        self.userHandle = Blob(userHandle)
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }

    init(row: Row) {
        id = row["id"]
        userHandle = row["user_handle"]
        username = row["username"]
        displayName = row["display_name"]
        passwordHash = row["password_hash"]
        createdAt = row["created_at"]
    }

    static func find(id: Int64, _ db: Database) throws -> AccountRow? { try find("id", id, db) }

    /// The account with this name; ASCII letters match in either case.
    static func find(username: String, _ db: Database) throws -> AccountRow? { try find("username", username, db) }
}
