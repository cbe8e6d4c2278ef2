internal import GRDB
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The organisation's member system: records over HTTP, and the audit list of logins.
struct MemberSystem: Sendable {
    let site: RelyingPartySite

    private static let path = "/member-system/members"

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case find, read, write
    }

    static let schema = """
        CREATE TABLE members (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE COLLATE NOCASE,
            phone TEXT NOT NULL,
            address TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('member', 'leader', 'administrator')),
            national_id TEXT
        ) STRICT;
        CREATE TABLE member_logins (
            login TEXT PRIMARY KEY NOT NULL,
            member_id TEXT NOT NULL REFERENCES members(id) ON DELETE CASCADE
        ) STRICT;
        CREATE TABLE member_audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            member_id TEXT,
            at INTEGER NOT NULL,
            source TEXT NOT NULL,
            outcome TEXT NOT NULL
        ) STRICT;
        """

    /// The residents as members without a personnummer, each known by their logins at the providers.
    static func addResidents(_ db: Database) throws {
        for (resident, role) in zip(Resident.all, MemberRole.allCases) {
            try Member(
                id: resident.id, name: resident.name, email: resident.email, phone: resident.phoneNumber,
                address: "\(resident.streetAddress), \(resident.postalCode) \(resident.town)", role: role,
                nationalID: nil
            ).insert(db)
            for provider in OpenIDProviderName.allCases {
                try db.execute(
                    sql: "INSERT INTO member_logins (login, member_id) VALUES (?, ?)",
                    arguments: [login(provider, provider.subject(of: resident)), resident.id])
            }
        }
    }

    static func login(_ provider: OpenIDProviderName, _ subject: String) -> String { "\(provider.rawValue):\(subject)" }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ endpoint: Endpoint, _ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.handler(.memberSystem, endpoint.rawValue, handle)
        }
        routes.add(.get, Self.path, handler(.find) { request, _ in try await find(request) })
        routes.add(
            .get, Self.path + "/:id",
            handler(.read) { _, context in try Reply.json(try await member(try context.parameters.require("id"))) })
        routes.add(
            .put, Self.path + "/:id",
            handler(.write) { request, context in
                let change: MemberChange = try await JSONBody.read(of: request)
                return try Reply.json(try await self.change(try context.parameters.require("id"), change))
            })
        // The audit list is the test's view: it answers during an outage.
        routes.add(.get, "/member-system/audit") { _, _ in try Reply.json(["audit": try await audit()]) }
    }

    private func find(_ request: Request) async throws -> Response {
        let query = try FormFields(queryOf: request)
        let members = try await site.database.snapshot { db in
            if let login = query["login"] {
                return try Member.fetchAll(
                    db,
                    sql: """
                        SELECT members.* FROM members JOIN member_logins ON member_id = members.id WHERE login = ?
                        """, arguments: [login])
            }
            guard let email = query["email"] else { return try Member.order(Column("id")).fetchAll(db) }
            return try Member.filter(Column("email") == email).fetchAll(db)
        }
        return try Reply.json(["members": members])
    }

    func member(_ id: String) async throws -> Member {
        guard let member = try await site.database.snapshot({ db in try Member.fetchOne(db, key: id) }) else {
            throw APIError.memberNotFound
        }
        return member
    }

    @discardableResult
    func change(_ id: String, _ change: MemberChange) async throws -> Member {
        try await site.database.write { db in
            guard var member = try Member.fetchOne(db, key: id) else { throw APIError.memberNotFound }
            member.role = change.role ?? member.role
            if let nationalID = change.nationalID { member.nationalID = nationalID }
            try member.update(db)
            return member
        }
    }

    func audit() async throws -> [MemberAuditEntry] {
        try await site.database.snapshot { db in try Self.audit(db) }
    }

    static func audit(_ db: Database) throws -> [MemberAuditEntry] {
        try Row.fetchAll(db, sql: "SELECT * FROM member_audit ORDER BY id").map { row in
            MemberAuditEntry(
                memberID: row["member_id"], at: Timestamp(rawValue: row["at"]).iso8601, source: row["source"],
                outcome: row["outcome"])
        }
    }
}

/// A change of a member's record; fields that it does not name stay.
package struct MemberChange: Hashable, Decodable, Sendable {
    package var role: MemberRole?
    /// The new personnummer; the inner nil removes it.
    package var nationalID: String??

    package init(role: MemberRole? = nil, nationalID: String?? = nil) {
        self.role = role
        self.nationalID = nationalID
    }

    enum CodingKeys: String, CodingKey {
        case role
        case nationalID = "national_id"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        role = try container.decodeIfPresent(MemberRole.self, forKey: .role)
        if container.contains(.nationalID) {
            nationalID = .some(try container.decodeIfPresent(String.self, forKey: .nationalID))
        }
    }
}

extension APIError {
    static let memberNotFound = APIError(404, "member_not_found", "The member system has no such member.")
}
