internal import Foundation
internal import GRDB

/// A row of `sessions`: one browser or app, signed in or not yet.
struct Session: TableRow, MutablePersistableRecord {
    static let databaseTableName = "sessions"

    /// The sign-in method of a session.
    enum Authentication: String, Sendable, Codable, DatabaseValueConvertible {
        case enrolment, password, passkey
    }

    private(set) var id: Int64?
    /// SHA-256 of the token.
    var tokenHash: Data
    /// Nil before sign-in, when the session only carries a challenge.
    var userId: Int64?
    var authenticatedBy: Authentication?
    var createdAt: Timestamp
    var expiresAt: Timestamp
    var reauthenticatedAt: Timestamp?

    /// A session without a user, not stored yet.
    init(token: SessionToken, at now: Timestamp, lifetime: Duration) {
        tokenHash = token.hash
        createdAt = now
        expiresAt = now + lifetime
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    /// Whether its user was verified within the window that ends now.
    func isFresh(at now: Timestamp, window: Duration) -> Bool {
        guard let reauthenticatedAt else { return false }
        return reauthenticatedAt <= now && now <= reauthenticatedAt + window
    }

    /// The session a token belongs to, unless it has expired.
    static func find(token: SessionToken?, at now: Timestamp, _ db: Database) throws -> Session? {
        guard let token, let session = try fetchOne(db, key: ["token_hash": token.hash]) else { return nil }
        return session.expiresAt > now ? session : nil
    }

    /// Signs an account in under a new token.
    ///
    /// The session keeps its row, so that its challenges stay marked as answered. Its old token becomes invalid, which
    /// prevents session fixation.
    static func signIn(
        _ account: Account, by authentication: Authentication, replacing old: Session?, token: SessionToken,
        at now: Timestamp, lifetime: Duration, _ db: Database
    ) throws -> Session {
        var session = Session(token: token, at: now, lifetime: lifetime)
        session.id = old?.id
        session.userId = account.id
        session.authenticatedBy = authentication
        try session.save(db)
        return session
    }

    /// Deletes sessions that expired by this time, with their challenges.
    static func purge(expiredBy time: Timestamp, _ db: Database) throws {
        try filter(Column("expires_at") <= time).deleteAll(db)
    }
}
