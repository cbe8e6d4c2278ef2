internal import Foundation
internal import GRDB

/// A row of `sessions`: one browser or app, signed in or not yet.
struct Session: Sendable, FetchableRecord {
    /// The sign-in method of a session.
    enum Authentication: String, Sendable, Codable, DatabaseValueConvertible {
        case enrolment, password, passkey
    }

    let id: Int64
    /// Nil before sign-in, when the session only carries a challenge.
    let userID: Int64?
    let authenticatedBy: Authentication?
    let createdAt: Timestamp
    let expiresAt: Timestamp
    let reauthenticatedAt: Timestamp?

    init(row: Row) {
        id = row["id"]
        userID = row["user_id"]
        authenticatedBy = row["authenticated_by"]
        createdAt = row["created_at"]
        expiresAt = row["expires_at"]
        reauthenticatedAt = row["reauthenticated_at"]
    }

    /// Whether its user was verified within the window that ends now.
    func isFresh(at now: Timestamp, window: Duration) -> Bool {
        guard let reauthenticatedAt else { return false }
        return reauthenticatedAt <= now && now <= reauthenticatedAt + window
    }

    /// The session a token belongs to, unless it has expired.
    static func find(token: SessionToken?, at now: Timestamp, _ db: Database) throws -> Session? {
        guard let token else { return nil }
        return try fetchOne(
            db, sql: "SELECT * FROM sessions WHERE token_hash = ? AND expires_at > ?", arguments: [token.hash, now])
    }

    /// Starts a session without a user, only to bind a challenge to.
    static func startAnonymous(
        token: SessionToken, at now: Timestamp, lifetime: Duration, _ db: Database
    ) throws -> Session? {
        try fetchOne(
            db, sql: "INSERT INTO sessions (token_hash, created_at, expires_at) VALUES (?, ?, ?) RETURNING *",
            arguments: [token.hash, now, now + lifetime])
    }

    /// Signs an account in under a new token.
    ///
    /// The session keeps its row, so that its challenges stay marked as answered. Its old token becomes invalid, which
    /// prevents session fixation.
    static func signIn(
        _ account: Account, by authentication: Authentication, replacing session: Session?, token: SessionToken,
        at now: Timestamp, lifetime: Duration, _ db: Database
    ) throws -> Session? {
        guard let session else {
            return try fetchOne(
                db,
                sql: """
                    INSERT INTO sessions (token_hash, user_id, authenticated_by, created_at, expires_at)
                    VALUES (?, ?, ?, ?, ?) RETURNING *
                    """,
                arguments: [token.hash, account.id, authentication, now, now + lifetime])
        }
        return try fetchOne(
            db,
            sql: """
                UPDATE sessions SET token_hash = ?, user_id = ?, authenticated_by = ?, created_at = ?, expires_at = ?,
                reauthenticated_at = NULL WHERE id = ? RETURNING *
                """,
            arguments: [token.hash, account.id, authentication, now, now + lifetime, session.id])
    }

    /// Records that the user was verified now.
    func reauthenticated(at now: Timestamp, _ db: Database) throws -> Session? {
        try Session.fetchOne(
            db, sql: "UPDATE sessions SET reauthenticated_at = ? WHERE id = ? RETURNING *", arguments: [now, id])
    }

    /// Extends the session until this time.
    func extend(to time: Timestamp, _ db: Database) throws {
        try db.execute(sql: "UPDATE sessions SET expires_at = ? WHERE id = ?", arguments: [time, id])
    }

    /// Deletes the session and its challenges.
    func end(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [id])
    }

    /// Deletes sessions that expired by this time, with their challenges.
    static func purge(expiredBy time: Timestamp, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM sessions WHERE expires_at <= ?", arguments: [time])
    }
}
