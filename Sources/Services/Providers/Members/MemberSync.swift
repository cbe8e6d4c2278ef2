internal import GRDB
internal import RelyingPartyServer

/// Brings a login's personnummer to the member system of the user's organisation (C4–C9).
///
/// It never replaces a different one: a person with access to an account must not change whose account it is.
struct MemberSync: Sendable {
    let site: RelyingPartySite

    private var caller: ServiceCaller { ServiceCaller(site: site) }
    private var audit: MemberAudit { MemberAudit(site: site) }

    /// The time that the gateway waits for one of several systems, so that it asks all of them within an app's patience.
    private static let patience = Duration.seconds(3)

    private struct Found: Decodable {
        let members: [Record]
    }

    /// A member's record as the gateway reads it.
    struct Record: Decodable, Sendable {
        let id: String
        let organisation: Organisation
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
    ///
    /// - Parameter organisation: the user's, whose system alone is asked; nil while it is not known.
    func member(of identity: ProviderIdentity, in organisation: Organisation?) async throws -> Record? {
        let source = identity.provider.auditSource
        do {
            let login = MemberSystem.login(identity.provider, identity.subject)
            guard let record = try await find("login", login, in: organisation) else { return nil }
            guard let nationalID = identity.nationalID else { return record }
            switch record.nationalId {
            case nil:
                let path = MemberSystem.path(record.organisation) + "/\(record.id)"
                let answer = try await caller.put(path, Change(nationalId: nationalID))
                try await audit.log(record.id, source, answer.isSuccess ? .updated : .failed)
            case nationalID: try await audit.log(record.id, source, .confirmed)
            default: try await audit.log(record.id, source, .conflict)
            }
            return record
        } catch is ServiceCaller.Unavailable {
            if identity.nationalID != nil { try await audit.log(nil, source, .failed) }
            return nil
        }
    }

    /// The member with one of these logins, or with an e-mail address; nil without one, and when a member system gives no
    /// answer.
    func member(logins: [String], email: String?) async -> Record? {
        for login in logins {
            if let record = try? await find("login", login, in: nil) { return record }
        }
        guard let email else { return nil }
        return try? await find("email", email, in: nil)
    }

    /// A member of an organisation; nil without one, and when its member system gives no answer.
    func member(id: String, in organisation: Organisation) async -> Record? {
        let path = MemberSystem.path(organisation) + "/\(ServiceCaller.encoded(id))"
        guard let answer = try? await caller.get(path), answer.isSuccess else { return nil }
        return try? answer.decode(Record.self)
    }

    /// The members of an organisation.
    func members(of organisation: Organisation) async throws(ServiceCaller.Unavailable) -> [Record] {
        try await found(at: MemberSystem.path(organisation))
    }

    /// The member of the first organisation that knows them.
    ///
    /// - Throws: when no system knows the member, and one gave no answer.
    private func find(
        _ key: String, _ value: String, in organisation: Organisation?
    ) async throws(ServiceCaller.Unavailable) -> Record? {
        var outage: ServiceCaller.Unavailable?
        for organisation in organisation.map({ [$0] }) ?? Organisation.allCases {
            do {
                let path = MemberSystem.path(organisation) + "?\(key)=\(ServiceCaller.encoded(value))"
                if let record = try await found(at: path, within: Self.patience).first { return record }
            } catch {
                outage = error
            }
        }
        if let outage { throw outage }
        return nil
    }

    private func found(
        at path: String, within patience: Duration = ServiceCaller.patience
    ) async throws(ServiceCaller.Unavailable) -> [Record] {
        let answer = try await caller.get(path, within: patience)
        return answer.isSuccess ? (try? answer.decode(Found.self))?.members ?? [] : []
    }
}
