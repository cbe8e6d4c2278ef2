import Foundation
import Providers
import Testing

/// The personnummer on its way from a login to the member system (C4–C9).
@Suite struct MemberSyncTests {
    private let record = "/member-systems/nordlys/members/kari"

    private func audit(_ client: HTTPClient) async throws -> [[String: String]] {
        let answer = try await client.get("/member-systems/audit")
        let list: [String: [[String: String]]] = try answer.decode()
        return try #require(list["audit"])
    }

    private func writes(_ street: Street) -> Int {
        street.services.journal.all.count { $0.service == .nordlysMembers && $0.endpoint == "write" }
    }

    @Test func anEmptyFieldIsFilledOnce() async throws {
        try await Street.run { street in
            let client = try street.client()
            #expect(try await client.get(record)["national_id"] == nil)
            _ = try await Login(.vipps, client).session()
            #expect(try await client.get(record)["national_id"] == Resident.kari.nationalID)
            #expect(writes(street) == 1)
            _ = try await Login(.bankid, client).session()
            #expect(writes(street) == 1)
            let audit = try await audit(client)
            #expect(audit.map { $0["source"] } == ["vipps-login", "bankid-login"])
            #expect(audit.map { $0["outcome"] } == ["updated", "confirmed, no change"])
            #expect(audit[0]["at"] == "2026-05-28T20:26:40.000Z")
            #expect(audit[0]["member_id"] == "kari")
        }
    }

    @Test func aDifferentPersonnummerStays() async throws {
        try await Street.run { street in
            let client = try street.client()
            let other = Resident.ola.nationalID
            #expect(try await client.put(record, ["national_id": other]).status == 200)
            let before = writes(street)
            #expect(try await Login(.vipps, client).gateway().status == 200)
            #expect(try await client.get(record)["national_id"] == other)
            #expect(writes(street) == before)
            #expect(try await audit(client).map { $0["outcome"] } == ["conflict"])
        }
    }

    @Test(arguments: ServiceOutage.allCases) func aFailingMemberSystemDoesNotStopTheLogin(
        _ outage: ServiceOutage
    ) async throws {
        try await Street.run { street in
            let client = try street.client()
            street.change { $0[.nordlysMembers].outage = outage }
            let session = try await Login(.vipps, client).session()
            #expect(session.user.name == "Kari Nordmann")
            #expect(try await audit(client).map { $0["outcome"] } == ["failed"])
        }
    }

    @Test func aLoginWithoutAPersonnummerSyncsNothing() async throws {
        try await Street.run { street in
            let client = try street.client()
            street.change { $0[.vipps].nationalID = .absent }
            #expect(try await Login(.vipps, client).session().user.nationalId == nil)
            #expect(try await audit(client).isEmpty)
            #expect(try await client.get(record)["national_id"] == nil)
        }
    }

    @Test func theRecordsRoleIsTheSessions() async throws {
        try await Street.run { street in
            let client = try street.client()
            #expect(try await client.put(record, ["role": "coordinator"]).status == 200)
            #expect(try await Login(.bankid, client).session().user.role == "coordinator")
            #expect(try await client.put(record, ["role": "king"]).status == 400)
            #expect(try await client.get("/member-systems/nordlys/members/unknown").status == 404)
        }
    }
}
