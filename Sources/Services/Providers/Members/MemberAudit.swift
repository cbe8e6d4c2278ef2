internal import GRDB
internal import HTTPTypes
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The gateway's list of the personnummer that logins brought.
struct MemberAudit: Sendable {
    let site: RelyingPartySite

    /// Adds the list as the test's view: it answers during an outage.
    func add(to routes: inout RouteTable) {
        routes.add(.get, "/member-systems/audit") { _, _ in
            try Reply.json(["audit": try await site.database.snapshot { db in try Self.all(db) }])
        }
    }

    static func all(_ db: Database) throws -> [MemberAuditEntry] {
        try Row.fetchAll(db, sql: "SELECT * FROM member_audit ORDER BY id").map { row in
            MemberAuditEntry(
                memberID: row["member_id"], at: Timestamp(rawValue: row["at"]).iso8601, source: row["source"],
                outcome: row["outcome"])
        }
    }

    func log(_ member: String?, _ source: String, _ outcome: MemberAuditEntry.Outcome) async throws {
        let now = Timestamp(site.configuration.clock())
        try await site.database.write { db in
            try db.execute(
                sql: "INSERT INTO member_audit (member_id, at, source, outcome) VALUES (?, ?, ?, ?)",
                arguments: [member, now, source, outcome])
        }
    }
}
