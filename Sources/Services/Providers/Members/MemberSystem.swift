internal import GRDB
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// An organisation's member system: its records over HTTP.
struct MemberSystem: Sendable {
    let site: RelyingPartySite
    let organisation: Organisation

    static func path(_ organisation: Organisation) -> String { "/member-systems/\(organisation.rawValue)/members" }

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case find, read, write
    }

    static func login(_ provider: OpenIDProviderName, _ subject: String) -> String { "\(provider.rawValue):\(subject)" }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ endpoint: Endpoint, _ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.handler(organisation.memberSystem, endpoint.rawValue, handle)
        }
        let path = Self.path(organisation)
        routes.add(.get, path, handler(.find) { request, _ in try await find(request) })
        routes.add(
            .get, path + "/:id",
            handler(.read) { _, context in try Reply.json(try await member(try context.parameters.require("id"))) })
        routes.add(
            .put, path + "/:id",
            handler(.write) { request, context in
                let change: MemberChange = try await JSONBody.read(of: request)
                return try Reply.json(try await self.change(try context.parameters.require("id"), change))
            })
    }

    private func find(_ request: Request) async throws -> Response {
        let query = try FormFields(queryOf: request)
        let members = try await site.database.snapshot { db in
            if let login = query["login"] {
                return try Member.fetchAll(
                    db,
                    sql: """
                        SELECT members.* FROM members JOIN member_logins ON member_id = members.id
                        WHERE organisation = ? AND login = ?
                        """, arguments: [organisation, login])
            }
            let members = Member.filter(Column("organisation") == organisation)
            guard let email = query["email"] else { return try members.order(Column("id")).fetchAll(db) }
            return try members.filter(Column("email") == email).fetchAll(db)
        }
        return try Reply.json(["members": members])
    }

    func member(_ id: String) async throws -> Member {
        let member = try await site.database.snapshot { db in try Member.fetchOne(db, key: id) }
        guard let member, member.organisation == organisation else { throw APIError.memberNotFound }
        return member
    }

    private func change(_ id: String, _ change: MemberChange) async throws -> Member {
        _ = try await member(id)
        return try await site.database.write { db in try Self.change(id, change, db) }
    }

    /// Changes the record of a member of any organisation.
    ///
    /// - Throws: `member_not_found`.
    static func change(_ id: String, _ change: MemberChange, _ db: Database) throws -> Member {
        guard var member = try Member.fetchOne(db, key: id) else { throw APIError.memberNotFound }
        member.role = change.role ?? member.role
        if let nationalID = change.nationalID { member.nationalID = nationalID }
        try member.update(db)
        return member
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
