internal import GRDB
internal import RelyingPartyServer

/// The events at the services, as the server records them.
package struct ServiceRecord: Hashable, Sendable {
    package var requests: [ServiceRequest] = []
    package var authorizations: [AuthorizationRequest] = []
    package var audit: [MemberAuditEntry] = []
    package var members: [Member] = []
    /// The number of stored submissions of each kind, such as `activity`.
    package var submissions: [String: Int] = [:]
    package static let submissionKinds = Submission.Kind.allCases.map(\.rawValue)
    /// The addresses of the messages sent, in their order.
    package var mail: [String] = []

    package init() {}

    /// The record without the requests, audit entries and messages of an earlier one.
    package func since(_ earlier: ServiceRecord) -> ServiceRecord {
        var record = self
        record.requests = Array(requests.dropFirst(earlier.requests.count))
        record.authorizations = Array(authorizations.dropFirst(earlier.authorizations.count))
        record.audit = Array(audit.dropFirst(earlier.audit.count))
        record.mail = Array(mail.dropFirst(earlier.mail.count))
        return record
    }

    package func count(_ service: ServiceName, _ endpoint: String? = nil) -> Int {
        requests.count { $0.service == service && (endpoint == nil || $0.endpoint == endpoint) }
    }
}

extension LoopbackServices {
    /// The events so far; only the requests while the services are not running.
    package func record() async -> ServiceRecord {
        var record = ServiceRecord()
        if let site {
            let stored = try? await site.database.snapshot { db in
                var record = ServiceRecord()
                record.members = try Member.order(Column("id")).fetchAll(db)
                record.audit = try MemberAudit.all(db)
                record.mail = try String.fetchAll(db, sql: "SELECT address FROM mailbox_messages ORDER BY id")
                let rows = try Row.fetchAll(
                    db, sql: "SELECT kind, COUNT(*) AS number FROM gateway_submissions GROUP BY kind")
                for row in rows { record.submissions[row["kind"]] = row["number"] }
                return record
            }
            record = stored ?? record
        }
        record.requests = journal.all
        record.authorizations = AuthorizationRequest.all(in: record.requests)
        return record
    }

    /// Changes a member's record, apart from the journal; returns whether it was different.
    package func changeMember(_ id: String, _ change: MemberChange) async throws -> Bool {
        try await site?.database.write { db in
            let before = try Member.fetchOne(db, key: id)
            return try MemberSystem.change(id, change, db) != before
        } ?? false
    }

    /// Returns whether there was a session.
    package func endSessions() async throws -> Bool {
        try await site?.database.write { db in try GatewaySession.deleteAll(db) > 0 } ?? false
    }
}
