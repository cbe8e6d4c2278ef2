internal import GRDB

extension GatewayUser {
    /// The user with this login at a provider, otherwise the user of the same member.
    static func find(
        _ identity: ProviderIdentity, _ record: MemberSync.Record?, _ db: Database
    ) throws -> GatewayUser? {
        let known = try fetchOne(
            db,
            sql: """
                SELECT gateway_users.* FROM gateway_users JOIN gateway_identities ON user_id = gateway_users.id
                WHERE login = ?
                """, arguments: [identity.login])
        guard known == nil, let record else { return known }
        return try filter(Column("member_id") == record.id).order(Column.rowID).fetchOne(db)
    }

    /// Takes over the facts of a verified identity and of its member's record, and keeps its login.
    mutating func adopt(_ identity: ProviderIdentity, _ record: MemberSync.Record?, _ db: Database) throws {
        name = identity.name ?? record?.name ?? name
        identityVerified = true
        nationalID = identity.nationalID ?? nationalID
        if let record { adopt(record) }
        try update(db)
        try db.execute(
            sql: "INSERT OR IGNORE INTO gateway_identities (login, user_id) VALUES (?, ?)",
            arguments: [identity.login, id])
    }

    mutating func adopt(_ record: MemberSync.Record) {
        (role, organisation, memberID) = (record.role, record.organisation, record.id)
    }
}

extension GatewayUser {
    /// The user's logins at providers, such as `vipps:…`.
    func logins(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT login FROM gateway_identities WHERE user_id = ? ORDER BY login", arguments: [id])
    }

    /// The providers at which the user has a login, in alphabetical order.
    func providers(_ db: Database) throws -> [OpenIDProviderName] {
        let logins = try logins(db)
        return OpenIDProviderName.allCases.filter { provider in
            logins.contains { $0.hasPrefix(MemberSystem.login(provider, "")) }
        }
    }
}

extension ProviderIdentity {
    /// The provider and the subject, such as `vipps:…`.
    var login: String { MemberSystem.login(provider, subject) }
}
