internal import Foundation
internal import GRDB
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The content of an activity or an expense claim, as the app sends it.
struct SubmissionContent: Codable, Hashable, Sendable {
    /// The activity, or the purpose of the claim.
    let description: String
    /// An activity's length in minutes.
    let minutes: Int?
    /// An expense claim's amount in øre.
    let amount: Int?
}

/// A stored activity or expense claim.
struct Submission: Encodable, Sendable {
    enum Kind: String, CaseIterable, Sendable, DatabaseValueConvertible {
        case activity
        case expenseClaim = "expense-claim"
    }

    let id: String
    let createdAt: String
    let content: SubmissionContent
}

/// The live data of a user's home screen.
struct Home: Encodable, Sendable {
    let screen: String
    let role: MemberRole
    let organisation: Organisation?
    let name: String
    let activities: Int
    let expenseClaims: Int
    /// The activities of the coordinator's peer mentors; nil for another role.
    let peerMentorActivities: Int?
    /// The app's users of the administrator's organisation; nil for another role.
    let users: Int?
    let updatedAt: String
    let policy: PolicyAnswer
}

/// A member of the organisation, as the lists of coordinators and administrators show them.
struct PersonAnswer: Encodable, Sendable {
    let name: String
    let role: MemberRole
}

/// The personal data that the app shows after a step-up.
struct PersonalData: Encodable, Sendable {
    let nationalId: String?
    let email: String
    let phone: String?
    let address: String?
}

extension Gateway {
    func home(of caller: GatewayCaller) async throws -> Home {
        let user = try await current(caller.user)
        return try await site.database.snapshot { [self] db in
            Home(
                screen: user.role.homeScreen, role: user.role, organisation: user.organisation, name: user.name,
                activities: try Self.count(.activity, of: user, db),
                expenseClaims: try Self.count(.expenseClaim, of: user, db),
                peerMentorActivities: user.role == .coordinator
                    ? try Self.peerMentorActivities(in: user.organisation, db) : nil,
                users: user.role == .organizationAdministrator
                    ? try GatewayUser.filter(Column("organisation") == user.organisation).fetchCount(db) : nil,
                updatedAt: now.iso8601, policy: policy(in: user.organisation))
        }
    }

    private static func peerMentorActivities(in organisation: Organisation?, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT COUNT(*) FROM gateway_submissions JOIN gateway_users ON gateway_users.id = user_id
                WHERE kind = ? AND role = ? AND organisation = ?
                """, arguments: [Submission.Kind.activity, MemberRole.peerMentor, organisation]) ?? 0
    }

    /// The members of the caller's organisation that the caller's role may see: a coordinator sees the peer mentors, and
    /// an administrator every member.
    ///
    /// - Throws: `role_not_permitted`, or `member_system_unavailable`.
    func people(of caller: GatewayCaller) async throws -> [PersonAnswer] {
        guard let organisation = caller.user.organisation else { throw APIError.roleNotPermitted }
        guard let members = try? await MemberSync(site: site).members(of: organisation) else {
            throw APIError.memberSystemUnavailable
        }
        // The role of today stands in the same answer.
        let role = members.first { $0.id == caller.user.memberID }?.role ?? .peerMentor
        guard role != .peerMentor else { throw APIError.roleNotPermitted }
        return members.filter { role == .organizationAdministrator || $0.role == .peerMentor }
            .map { PersonAnswer(name: $0.name, role: $0.role) }
    }

    /// The personal data, which consume the session's step-up.
    ///
    /// - Throws: `step_up_required`.
    func personalData(of caller: GatewayCaller) async throws -> PersonalData {
        let user = caller.user
        let member = try await site.database.write { [now] db in
            try GatewaySession.useStepUp(of: caller.session, at: now, db)
            return try user.memberID.flatMap { try Member.fetchOne(db, key: $0) }
        }
        return PersonalData(
            nationalId: user.nationalID ?? member?.nationalID, email: member?.email ?? user.email, phone: member?.phone,
            address: member?.address)
    }

    /// Stores a submission once, however often the app sends it with the same key; a new claim consumes the session's step-up.
    ///
    /// - Throws: `idempotency_key_reused` or `step_up_required`.
    func submit(
        _ content: SubmissionContent, _ kind: Submission.Kind, key: String, by caller: GatewayCaller
    ) async throws -> (Submission, isNew: Bool) {
        let json = String(decoding: try SnakeCase.encoder.encode(content), as: UTF8.self)
        let (id, now, userID) = (newIdentifier(), now, caller.user.id)
        return try await site.database.write { db in
            let earlier = try Row.fetchOne(
                db,
                sql: "SELECT * FROM gateway_submissions WHERE user_id = ? AND kind = ? AND idempotency_key = ?",
                arguments: [userID, kind, key])
            if let earlier {
                let submission = try Self.submission(earlier)
                guard submission.content == content else { throw APIError.idempotencyKeyReused }
                return (submission, false)
            }
            if kind == .expenseClaim { try GatewaySession.useStepUp(of: caller.session, at: now, db) }
            try db.execute(
                sql: """
                    INSERT INTO gateway_submissions (user_id, kind, idempotency_key, id, content, created_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """, arguments: [userID, kind, key, id, json, now])
            return (Submission(id: id, createdAt: now.iso8601, content: content), true)
        }
    }

    func submissions(_ kind: Submission.Kind, of caller: GatewayCaller) async throws -> [Submission] {
        let userID = caller.user.id
        return try await site.database.snapshot { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM gateway_submissions WHERE user_id = ? AND kind = ? ORDER BY rowid",
                arguments: [userID, kind]
            ).map(Self.submission)
        }
    }

    private static func submission(_ row: Row) throws -> Submission {
        let content: String = row["content"]
        return Submission(
            id: row["id"], createdAt: Timestamp(rawValue: row["created_at"]).iso8601,
            content: try SnakeCase.decoder.decode(SubmissionContent.self, from: Data(content.utf8)))
    }

    private static func count(_ kind: Submission.Kind, of user: GatewayUser, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM gateway_submissions WHERE user_id = ? AND kind = ?",
            arguments: [user.id, kind]) ?? 0
    }

    /// A session at the relying party, in which the user manages passkeys.
    ///
    /// It counts from the login: an old login does not let a new passkey in.
    func passkeySession(of caller: GatewayCaller) async throws -> String {
        try await site.openSession(
            accountID: caller.user.accountID, authenticatedAt: Timestamp(rawValue: caller.session.createdAt))
    }
}
