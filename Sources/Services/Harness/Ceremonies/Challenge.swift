internal import Foundation
internal import GRDB
internal import RelyingParty

/// A row of `challenges`: a request to one session, and whether it was answered.
struct Challenge: TableRow, PersistableRecord {
    static let databaseTableName = "challenges"

    let challenge: Blob
    let sessionId: Int64?
    let ceremony: CeremonyKind
    /// The user who must still be signed in for the answer; nil for a sign-in.
    let userId: Int64?
    let expiresAt: Timestamp
    var usedAt: Timestamp?
    private let request: String

    /// A challenge to a session, not stored yet.
    ///
    /// - Parameter request: the parts of the options needed to verify the response.
    init(
        _ challenge: [UInt8], for request: some Encodable, _ ceremony: CeremonyKind, session: Session, userID: Int64?,
        expiresAt: Timestamp
    ) throws {
        self.challenge = Blob(challenge)
        sessionId = session.id
        self.ceremony = ceremony
        userId = userID
        self.expiresAt = expiresAt
        self.request = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
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
        let own = try session.flatMap { try fetchOne(db, key: ["session_id": $0.id, "ceremony": kind]) }
        let foreign = try stated.flatMap { try fetchOne(db, key: Blob($0)) }
            .flatMap { $0.sessionId == session?.id ? nil : $0 }
        guard let session, var own else {
            return ClaimedChallenge(challenge: nil, state: foreign == nil ? .unknown : .otherSession)
        }
        let state: ChallengeState =
            if foreign != nil {
                .otherSession
            } else if own.usedAt != nil {
                .used
            } else if own.expiresAt <= now {
                .expired
            } else if own.userId != nil, own.userId != session.userId {
                .otherUser
            } else {
                .current
            }
        own.usedAt = own.usedAt ?? now
        try own.update(db)
        return ClaimedChallenge(challenge: own, state: state)
    }
}

/// A claimed challenge and its state.
struct ClaimedChallenge: Sendable {
    /// The challenge; nil when the session has none.
    let challenge: Challenge?
    let state: ChallengeState
}
