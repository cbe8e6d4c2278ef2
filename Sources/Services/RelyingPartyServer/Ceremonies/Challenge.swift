internal import Foundation
internal import GRDB
internal import RelyingParty

/// A row of `challenges`: a request to one session, and whether it was answered.
struct Challenge: TableRow {
    static let databaseTableName = "challenges"

    let challenge: Blob
    let sessionId: Int64?
    let ceremony: CeremonyKind
    /// The user who must still be signed in for the answer; nil for a sign-in.
    let userId: Int64?
    let expiresAt: Timestamp
    var usedAt: Timestamp?
    private let request: String

    /// A challenge that is not stored yet; the request has the parts of the options needed to verify the response.
    init(
        _ challenge: [UInt8], for request: some Encodable, _ ceremony: CeremonyKind, session: SessionRow,
        userID: Int64?,
        expiresAt: Timestamp
    ) throws {
        self.challenge = Blob(challenge)
        sessionId = session.id
        self.ceremony = ceremony
        userId = userID
        self.expiresAt = expiresAt
        self.request = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
    }

    init(row: Row) {
        challenge = row["challenge"]
        sessionId = row["session_id"]
        ceremony = row["ceremony"]
        userId = row["user_id"]
        expiresAt = row["expires_at"]
        usedAt = row["used_at"]
        request = row["request"]
    }

    func pending<Request: Decodable>(_ type: Request.Type) throws -> Request {
        try JSONDecoder().decode(type, from: Data(request.utf8))
    }

    private static let limit = 20

    /// Stores the challenge, and deletes the session's oldest challenges above the limit.
    ///
    /// - Parameter isFirst: whether the session is new and has no other one.
    func issue(isFirst: Bool = false, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO challenges (challenge, session_id, ceremony, user_id, expires_at, used_at, request)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [challenge, sessionId, ceremony, userId, expiresAt, usedAt, request])
        guard !isFirst else { return }
        try db.cachedStatement(
            sql: """
                DELETE FROM challenges WHERE session_id = ? AND rowid NOT IN
                    (SELECT rowid FROM challenges WHERE session_id = ? ORDER BY rowid DESC LIMIT ?)
                """
        ).execute(arguments: [sessionId, sessionId, Self.limit])
    }

    /// Claims the challenge that a response states, which counts as answered regardless of the verdict.
    ///
    /// The session's other challenges stay open: a page may have a conditional request beside a modal one. A response
    /// that states no challenge of the session is compared with its latest, which also stays open.
    static func claim(
        _ kind: CeremonyKind, session: SessionRow?, stated: [UInt8]?, at now: Timestamp, _ db: Database
    ) throws -> ClaimedChallenge {
        let named = try stated.flatMap { try find("challenge", Blob($0), db) }
        let isForeign = named.map { $0.sessionId != session?.id } ?? false
        guard let session else { return ClaimedChallenge(challenge: nil, state: isForeign ? .otherSession : .unknown) }
        if var own = named, !isForeign, own.ceremony == kind {
            let state = own.state(in: session, at: now)
            own.usedAt = own.usedAt ?? now
            try db.cachedStatement(sql: "UPDATE challenges SET used_at = ? WHERE challenge = ?")
                .execute(arguments: [own.usedAt, own.challenge])
            return ClaimedChallenge(challenge: own, state: state)
        }
        let latest = try filter(Column("session_id") == session.id && Column("ceremony") == kind)
            .order(Column.rowID.desc).fetchOne(db)
        return ClaimedChallenge(
            challenge: latest, state: isForeign ? .otherSession : latest?.state(in: session, at: now) ?? .unknown)
    }

    private func state(in session: SessionRow, at now: Timestamp) -> ChallengeState {
        if usedAt != nil { return .used }
        if expiresAt <= now { return .expired }
        return userId != nil && userId != session.userId ? .otherUser : .current
    }
}

/// A claimed challenge and its state.
struct ClaimedChallenge: Sendable {
    /// The challenge; nil when the session has none.
    let challenge: Challenge?
    let state: ChallengeState
}
