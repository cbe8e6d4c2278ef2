internal import Foundation
internal import GRDB

/// A row of `users`.
struct Account: Sendable, FetchableRecord {
    let id: Int64
    /// 32 random bytes; a user handle must not identify the user (WebAuthn L3 §14.6.1).
    let handle: [UInt8]
    let username: String
    let displayName: String
    let passwordHash: String?

    init(row: Row) {
        id = row["id"]
        handle = row.bytes("user_handle")
        username = row["username"]
        displayName = row["display_name"]
        passwordHash = row["password_hash"]
    }

    static func find(_ id: Int64, _ db: Database) throws -> Account? {
        try fetchOne(db, sql: "SELECT * FROM users WHERE id = ?", arguments: [id])
    }

    /// The account with this name; ASCII letters match in either case.
    static func find(username: String, _ db: Database) throws -> Account? {
        try fetchOne(db, sql: "SELECT * FROM users WHERE username = ?", arguments: [username])
    }

    /// Creates an account; nil when the name is taken.
    static func create(
        username: String, displayName: String, handle: [UInt8], passwordHash: String?, at now: Timestamp,
        _ db: Database
    ) throws -> Account? {
        guard try find(username: username, db) == nil else { return nil }
        return try fetchOne(
            db,
            sql: """
                INSERT INTO users (user_handle, username, display_name, password_hash, created_at)
                VALUES (?, ?, ?, ?, ?) RETURNING *
                """,
            arguments: [Data(handle), username, displayName, passwordHash, now])
    }

    func setPasswordHash(_ hash: String?, _ db: Database) throws {
        try db.execute(sql: "UPDATE users SET password_hash = ? WHERE id = ?", arguments: [hash, id])
    }
}
