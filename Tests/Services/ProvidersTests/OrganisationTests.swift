import Foundation
import GRDB
import RelyingPartyServer
import Testing

@testable import Providers

/// The organisations, their member systems and their rules.
@Suite struct OrganisationTests {
    private struct People: Decodable {
        struct Person: Decodable, Hashable {
            let name: String
            let role: String
        }

        let people: [Person]
    }

    private struct Counts: Decodable, Equatable {
        let peerMentorActivities: Int?
        let users: Int?

        enum CodingKeys: String, CodingKey {
            case users
            case peerMentorActivities = "peer_mentor_activities"
        }
    }

    private let people = "/gateway/v1/people"

    private func login(_ resident: Resident, _ street: Street) async throws -> Session {
        street.change { $0[.vipps].resident = resident }
        return try await Login(.vipps, try street.client()).session()
    }

    @Test func aMemberSystemServesItsOwnMembersOnly() async throws {
        try await Street.run { street in
            let client = try street.client()
            for (organisation, ids) in [
                ("nordlys", ["eva", "kari"]), ("havblikk", ["anne", "ola", "per"]),
                ("fjellheim", ["ingrid", "jon", "siri"]),
            ] {
                let root = "/member-systems/\(organisation)/members"
                let list: [String: [Member]] = try await client.get(root).decode()
                #expect(list["members"]?.map(\.id) == ids)
                let isOwn = ids.contains("kari")
                #expect(try await client.get(root + "/kari").status == (isOwn ? 200 : 404))
                #expect(try await client.put(root + "/kari", ["role": "coordinator"]).status == (isOwn ? 200 : 404))
                let found: [String: [Member]] = try await client.get(root, ["email": Resident.kari.email]).decode()
                #expect(found["members"]?.isEmpty == !isOwn)
            }
        }
    }

    @Test func theFirstLoginAsksEachSystemInTurnAndALaterOneItsOwnOnly() async throws {
        try await Street.run { street in
            _ = try await login(.ola, street)
            let journal = street.services.journal
            #expect(journal.count(.nordlysMembers) == 1)
            #expect(journal.count(.fjellheimMembers) == 0)
            street.change { $0[.nordlysMembers].outage = .unavailable }
            _ = try await login(.ola, street)
            #expect(journal.count(.nordlysMembers) == 1)
        }
    }

    @Test(arguments: ServiceOutage.allCases)
    func theOutageOfOtherSystemsLeavesALoginCompleteWithinFiveSeconds(outage: ServiceOutage) async throws {
        try await Street.run { street in
            street.change { $0[.nordlysMembers].outage = outage }
            let start = street.now
            let session = try await login(.ingrid, street)
            #expect(session.user.role == "organization-administrator")
            #expect(session.user.nationalId == Resident.ingrid.nationalID)
            #expect(street.now - start < .seconds(5))
        }
    }

    @Test(arguments: [OpenIDProviderName.bankid, .vipps])
    func aUserOfAFirstLoginDuringAnOutageGetsTheOrganisationAfterwards(provider: OpenIDProviderName) async throws {
        try await Street.run { street in
            let client = try street.client()
            street.change {
                $0[provider].resident = .ola
                $0[.havblikkMembers].outage = .unavailable
            }
            let session = try await Login(provider, client).session()
            #expect(session.user.role == "peer-mentor")
            street.change { $0[.havblikkMembers].outage = nil }
            let answer = try await client.get("/gateway/v1/home", bearer: session.accessToken)
            #expect((answer["screen"], answer["organisation"]) == ("coordinator-home", "havblikk"))
        }
    }

    @Test func aRoleThatWasTakenAwayOpensNoListWhileOneRecordCannotBeRead() async throws {
        try await Street.run { street in
            let client = try street.client()
            let token = try await login(.ola, street).accessToken
            _ = try await street.services.changeMember("ola", MemberChange(role: .peerMentor))
            street.change {
                $0[.havblikkMembers].outage = .unavailable
                $0[.havblikkMembers].endpoint = "read"
            }
            #expect(try await client.get(people, bearer: token).code == "role_not_permitted")
        }
    }

    @Test(arguments: [
        (Resident.ola, ["Anne Lund", "Per Vik"]), (.ingrid, ["Ingrid Berg", "Jon Dahl", "Siri Moen"]),
    ]) func aRoleSeesThePeopleOfItsOwnOrganisation(resident: Resident, names: [String]) async throws {
        try await Street.run { street in
            let client = try street.client()
            let token = try await login(resident, street).accessToken
            let list: People = try await client.get(people, bearer: token).decode()
            #expect(list.people.map(\.name) == names)
            // The role of today counts, and not the one of the login.
            _ = try await street.services.changeMember(resident.id, MemberChange(role: .peerMentor))
            let refused = try await client.get(people, bearer: token)
            #expect((refused.status, refused.code) == (403, "role_not_permitted"))
        }
    }

    @Test func aListWithoutItsMemberSystemIsUnavailable() async throws {
        try await Street.run { street in
            let client = try street.client()
            let token = try await login(.ola, street).accessToken
            street.change { $0[.havblikkMembers].outage = .unavailable }
            let answer = try await client.get(people, bearer: token)
            #expect((answer.status, answer.code) == (503, "member_system_unavailable"))
            #expect(try await client.get(people).status == 401)
        }
    }

    @Test func theHomesCountWhatTheirRoleSees() async throws {
        try await Street.run { street in
            let client = try street.client()
            let kari = try await login(.kari, street).accessToken
            let ola = try await login(.ola, street).accessToken
            let ingrid = try await login(.ingrid, street).accessToken
            // A coordinator of Kari's organisation, who has proved her address.
            let phone = try Phone("pixel-fingerprint", street)
            try await phone.signUp("eva@touchstone.example")
            let eva = try await phone.session("eva@touchstone.example").accessToken
            for (number, token) in [kari, kari, ola, eva].enumerated() {
                let posted = try await client.post(
                    "/gateway/v1/activities", ["description": "Visit"], bearer: token,
                    fields: ["Idempotency-Key": "key-\(number)"])
                #expect(posted.status == 201)
            }
            func home(_ token: String) async throws -> Counts {
                try await client.get("/gateway/v1/home", bearer: token).decode()
            }
            #expect(try await home(kari) == Counts(peerMentorActivities: nil, users: nil))
            #expect(try await home(eva) == Counts(peerMentorActivities: 2, users: nil))
            #expect(try await home(ola) == Counts(peerMentorActivities: 0, users: nil))
            #expect(try await home(ingrid) == Counts(peerMentorActivities: nil, users: 1))
        }
    }

    @Test func anOrganisationsOwnRuleComesBeforeTheCommonOne() async throws {
        try await Street.run { street in
            street.change {
                $0.gateway.biometrics = .required
                $0.gateway.organisationBiometrics[.havblikk] = .forbidden
            }
            struct Home: Decodable {
                let policy: [String: String]
            }
            let client = try street.client()
            for (resident, rule) in [(Resident.kari, "required"), (.ola, "forbidden")] {
                let token = try await login(resident, street).accessToken
                let home: Home = try await client.get("/gateway/v1/home", bearer: token).decode()
                #expect(home.policy["biometrics"] == rule)
            }
        }
    }

    @Test func rolesAndMembersOfAnEarlierDatabaseGetTheirPresentNames() throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            // The tables of the relying party that the services' tables refer to.
            try db.execute(
                sql: """
                    CREATE TABLE users (id INTEGER PRIMARY KEY);
                    CREATE TABLE passkey_credentials (credential_id BLOB PRIMARY KEY);
                    INSERT INTO users VALUES (1), (2);
                    """)
        }
        try GatewaySchema.migrator.migrate(queue, upTo: "services 4 codes by purpose")
        try queue.write { db in
            try db.execute(
                sql: """
                    UPDATE members SET national_id = '02918420188' WHERE id = 'ola';
                    INSERT INTO gateway_users (id, account_id, email, name, role, identity_verified, logins, member_id)
                        VALUES ('a', 1, 'ola@touchstone.example', 'Ola', 'leader', 1, 3, 'ola'),
                            ('b', 2, 'x@example.com', 'X', 'administrator', 0, 1, NULL);
                    INSERT INTO gateway_sessions (id, user_id, method, created_at, refreshed_at, counter)
                        VALUES ('s', 'a', 'vipps', 1, 1, 0);
                    """)
        }
        try GatewaySchema.migrator.migrate(queue)
        try queue.read { db in
            let users = try GatewayUser.order(Column("id")).fetchAll(db)
            #expect(users.map(\.role) == [.coordinator, .peerMentor])
            #expect(users.map(\.organisation) == [.havblikk, nil])
            #expect(users.map(\.logins) == [3, 1])
            #expect(try GatewaySession.fetchCount(db) == 1)
            let ola = try #require(try Member.fetchOne(db, key: "ola"))
            #expect((ola.organisation, ola.role, ola.nationalID) == (.havblikk, .coordinator, "02918420188"))
            #expect(try Member.fetchCount(db) == 8)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM member_logins") == 6)
        }
    }
}
