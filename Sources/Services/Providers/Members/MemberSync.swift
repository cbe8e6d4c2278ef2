internal import GRDB
internal import RelyingPartyServer

/// Brings a login's personnummer to the member system (C4–C9).
///
/// It never replaces a different one: a person with access to an account must not change whose account it is.
struct MemberSync: Sendable {
    let site: RelyingPartySite

    private var caller: ServiceCaller { ServiceCaller(site: site) }
    private static let root = "/member-system/members"

    private struct Found: Decodable {
        let members: [Record]
    }

    /// A member's record as the gateway reads it.
    struct Record: Decodable, Sendable {
        let id: String
        let name: String
        let email: String
        let role: MemberRole
        let nationalId: String?
    }

    private struct Change: Encodable {
        let nationalId: String
    }

    /// The member of a login, after the personnummer is in the record; nil for a login without a member, and when the
    /// member system gives no answer.
    func member(of identity: ProviderIdentity) async throws -> Record? {
        let source = identity.provider.auditSource
        do {
            guard let record = try await find("login", MemberSystem.login(identity.provider, identity.subject)) else {
                return nil
            }
            guard let nationalID = identity.nationalID else { return record }
            switch record.nationalId {
            case nil:
                let answer = try await caller.put("\(Self.root)/\(record.id)", Change(nationalId: nationalID))
                try await log(record.id, source, answer.isSuccess ? .updated : .failed)
            case nationalID: try await log(record.id, source, .confirmed)
            default: try await log(record.id, source, .conflict)
            }
            return record
        } catch is ServiceCaller.Unavailable {
            if identity.nationalID != nil { try await log(nil, source, .failed) }
            return nil
        }
    }

    /// The member with an e-mail address; nil without one, and when the member system gives no answer.
    func member(email: String) async -> Record? { try? await find("email", email) }

    /// The member with an identifier; nil without one, and when the member system gives no answer.
    func member(id: String) async -> Record? {
        guard let answer = try? await caller.get("\(Self.root)/\(ServiceCaller.encoded(id))"), answer.isSuccess else {
            return nil
        }
        return try? answer.decode(Record.self)
    }

    private func find(_ key: String, _ value: String) async throws(ServiceCaller.Unavailable) -> Record? {
        let answer = try await caller.get("\(Self.root)?\(key)=\(ServiceCaller.encoded(value))")
        return answer.isSuccess ? (try? answer.decode(Found.self))?.members.first : nil
    }

    private func log(_ member: String?, _ source: String, _ outcome: MemberAuditEntry.Outcome) async throws {
        let now = Timestamp(site.configuration.clock())
        try await site.database.write { db in
            try db.execute(
                sql: "INSERT INTO member_audit (member_id, at, source, outcome) VALUES (?, ?, ?, ?)",
                arguments: [member, now, source, outcome])
        }
    }
}
