internal import Foundation
internal import GRDB
internal import LoopbackHTTP
internal import RelyingParty

/// A row of `sessions`: one browser or app, signed in or not yet.
struct SessionRow: TableRow, MutablePersistableRecord {
    static let databaseTableName = "sessions"

    enum Authentication: String, Sendable, Codable, DatabaseValueConvertible {
        case enrolment, password, passkey
    }

    private(set) var id: Int64?
    /// SHA-256 of the token.
    var tokenHash: Data
    /// Nil before sign-in, when the session only carries a challenge.
    var userId: Int64?
    var authenticatedBy: Authentication?
    /// The passkey that opened the session.
    var credentialId: Blob?
    var createdAt: Timestamp
    var expiresAt: Timestamp
    var reauthenticatedAt: Timestamp?

    /// A session without a user, not stored yet.
    init(token: SessionToken, at now: Timestamp, lifetime: Duration) {
        tokenHash = token.hash
        createdAt = now
        expiresAt = now + lifetime
    }

    init(row: Row) {
        id = row["id"]
        tokenHash = row["token_hash"]
        userId = row["user_id"]
        authenticatedBy = row["authenticated_by"]
        credentialId = row["credential_id"]
        createdAt = row["created_at"]
        expiresAt = row["expires_at"]
        reauthenticatedAt = row["reauthenticated_at"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["token_hash"] = tokenHash
        container["user_id"] = userId
        container["authenticated_by"] = authenticatedBy
        container["credential_id"] = credentialId
        container["created_at"] = createdAt
        container["expires_at"] = expiresAt
        container["reauthenticated_at"] = reauthenticatedAt
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// Whether its user was verified with a passkey within the window that ends now.
    func isFresh(at now: Timestamp, window: Duration) -> Bool {
        reauthenticatedAt.map { $0 <= now && now <= $0 + window } ?? false
    }

    /// Whether its user may add a credential: after such a verification, a sign-in with the password or the creation of
    /// the account.
    func isRecent(at now: Timestamp, window: Duration) -> Bool {
        let isOpenedWithoutPasskey = authenticatedBy == .password || authenticatedBy == .enrolment
        return isFresh(at: now, window: window)
            || (isOpenedWithoutPasskey && createdAt <= now && now <= createdAt + window)
    }

    static func find(token: SessionToken?, at now: Timestamp, _ db: Database) throws -> SessionRow? {
        guard let token, let session = try find("token_hash", token.hash, db) else { return nil }
        return session.expiresAt > now ? session : nil
    }

    static func find(id: Int64?, _ db: Database) throws -> SessionRow? { try find("id", id, db) }

    /// Signs an account in under a new token; a passkey that verified the user makes the session fresh.
    ///
    /// The session keeps its row, so that its challenges stay marked as answered. Its old token becomes invalid, which
    /// prevents session fixation.
    ///
    /// - Parameter passkey: the use of the passkey that signs in; nil for another method.
    static func signIn(
        _ account: AccountRow, by authentication: Authentication, passkey: CredentialUpdate?,
        replacing old: SessionRow?,
        token: SessionToken, at now: Timestamp, lifetime: Duration, _ db: Database
    ) throws -> SessionRow {
        var session = SessionRow(token: token, at: now, lifetime: lifetime)
        session.id = old?.id
        session.userId = account.id
        session.authenticatedBy = authentication
        session.credentialId = passkey.map { Blob($0.id) }
        if passkey?.userVerified == true { session.reauthenticatedAt = now }
        try session.store(db)
        return session
    }

    /// Stores a new session, or the new state of a stored one.
    ///
    /// The statements are prepared once; those of the library's own methods are composed anew for each row.
    ///
    /// - Throws: `session.required` for a stored session that has ended meanwhile.
    mutating func store(_ db: Database) throws {
        guard let id else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO sessions (token_hash, user_id, authenticated_by, credential_id, created_at, expires_at,
                    reauthenticated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                tokenHash, userId, authenticatedBy, credentialId, createdAt, expiresAt, reauthenticatedAt,
            ])
            self.id = db.lastInsertedRowID
            return
        }
        try db.cachedStatement(
            sql: """
                UPDATE sessions SET token_hash = ?, user_id = ?, authenticated_by = ?, credential_id = ?, created_at = ?,
                expires_at = ?, reauthenticated_at = ? WHERE id = ?
                """
        ).execute(arguments: [
            tokenHash, userId, authenticatedBy, credentialId, createdAt, expiresAt, reauthenticatedAt, id,
        ])
        guard db.changesCount == 1 else { throw APIError.sessionRequired }
    }

    func endOthers(where condition: SQLExpression? = nil, _ db: Database) throws {
        let others = SessionRow.filter(Column("user_id") == userId && Column("id") != id)
        try (condition.map { others.filter($0) } ?? others).deleteAll(db)
    }

    /// Deletes the oldest sessions without a user, so that requests without a sign-in cannot fill the database.
    static func dropOldestAnonymous(beyond limit: Int, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM sessions WHERE user_id IS NULL AND id <=
                    (SELECT id FROM sessions WHERE user_id IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [limit])
    }

    /// Deletes sessions that expired by this time, with their challenges.
    static func purge(expiredBy time: Timestamp, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM sessions WHERE expires_at <= ?").execute(arguments: [time])
    }
}
