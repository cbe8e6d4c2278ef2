internal import Foundation
internal import GRDB
internal import RelyingParty

/// A row of `challenges`: a request to one session, and whether it was answered.
struct Challenge: Sendable, FetchableRecord {
    let bytes: [UInt8]
    let sessionID: Int64
    let kind: String
    /// The user who must still be signed in for the answer; nil for a sign-in.
    let userID: Int64?
    let expiresAt: Timestamp
    let usedAt: Timestamp?
    private let request: String

    init(row: Row) {
        bytes = row.bytes("challenge")
        sessionID = row["session_id"]
        kind = row["ceremony"]
        userID = row["user_id"]
        expiresAt = row["expires_at"]
        usedAt = row["used_at"]
        request = row["request"]
    }

    /// Stores a challenge, which replaces the session's earlier one of the same kind.
    static func issue(
        _ bytes: [UInt8], for request: some Encodable, kind: CeremonyKind, session: Session, userID: Int64?,
        expiresAt: Timestamp, _ db: Database
    ) throws {
        let json = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO challenges (challenge, session_id, ceremony, user_id, expires_at, request)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [Data(bytes), session.id, kind.rawValue, userID, expiresAt, json])
    }

    /// The pending request.
    func pending<Request: Decodable>(_ type: Request.Type) throws -> Request {
        try JSONDecoder().decode(type, from: Data(request.utf8))
    }

    /// Claims a session's challenge, which counts as answered regardless of the verdict.
    ///
    /// The session determines the challenge. The challenge in the response only distinguishes another session's
    /// challenge from an unknown one; it never becomes the expected challenge.
    static func claim(
        _ kind: CeremonyKind, session: Session?, stated: [UInt8]?, at now: Timestamp, _ db: Database
    ) throws -> ClaimedChallenge {
        let own = try session.flatMap { try find(kind, session: $0, db) }
        let foreign = try stated.flatMap { try find($0, db) }.flatMap { $0.sessionID == session?.id ? nil : $0 }
        guard let session, let own else {
            return ClaimedChallenge(challenge: nil, state: foreign == nil ? .unknown : .otherSession)
        }
        let state: ChallengeState =
            if foreign != nil {
                .otherSession
            } else if own.usedAt != nil {
                .used
            } else if own.expiresAt <= now {
                .expired
            } else if own.userID != nil, own.userID != session.userID {
                .otherUser
            } else {
                .current
            }
        try db.execute(
            sql: "UPDATE challenges SET used_at = ? WHERE challenge = ? AND used_at IS NULL",
            arguments: [now, Data(own.bytes)])
        return ClaimedChallenge(challenge: own, state: state)
    }

    private static func find(_ kind: CeremonyKind, session: Session, _ db: Database) throws -> Challenge? {
        try fetchOne(
            db, sql: "SELECT * FROM challenges WHERE session_id = ? AND ceremony = ?",
            arguments: [session.id, kind.rawValue])
    }

    private static func find(_ bytes: [UInt8], _ db: Database) throws -> Challenge? {
        try fetchOne(db, sql: "SELECT * FROM challenges WHERE challenge = ?", arguments: [Data(bytes)])
    }
}

/// A claimed challenge and its state.
struct ClaimedChallenge: Sendable {
    /// The challenge; nil when the session has none.
    let challenge: Challenge?
    let state: ChallengeState
}
