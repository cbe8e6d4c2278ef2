internal import Foundation
internal import GRDB
internal import RelyingParty

/// A row of `challenges`: what was asked of one session, and whether it was answered.
struct Challenge: Sendable, FetchableRecord {
    let bytes: [UInt8]
    let sessionID: Int64
    let kind: String
    /// Who must still be signed in when the answer comes; nil when signing in is what the answer is for.
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

    /// Remembers a challenge; the session's earlier one of the same kind can no longer be answered.
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

    /// What was asked.
    func pending<Request: Decodable>(_ type: Request.Type) throws -> Request {
        try JSONDecoder().decode(type, from: Data(request.utf8))
    }

    /// Takes the challenge a session is to answer, and marks it answered whatever the verdict will be.
    ///
    /// The challenge is found by the session. What the response states is only compared with what is stored, to tell
    /// another session's challenge from a made-up one; it never becomes the expected challenge of this session.
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

/// A challenge taken out to be judged, and whether it may be answered here and now.
struct ClaimedChallenge: Sendable {
    /// Nil when the session has none.
    let challenge: Challenge?
    let state: ChallengeState
}
