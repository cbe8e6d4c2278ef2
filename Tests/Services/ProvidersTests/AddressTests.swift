import Foundation
import Providers
import Testing

/// Accounts whose address another user has, and proofs of an address.
@Suite struct AddressTests {
    private let token = "/gateway/v1/token?grant_type=password"
    private let home = "/gateway/v1/home"
    private let member = Resident.ola

    /// An account with the member's address, and its session; the password is the stranger's.
    private func stranger(_ client: HTTPClient) async throws -> Session {
        let account = ["username": member.email, "displayName": "Not Ola", "password": "correct horse"]
        #expect(try await client.post("/api/v1/auth/accounts", account).status == 201)
        return try Session(try await client.post(token, ["email": member.email, "password": "correct horse"]))
    }

    @Test func anAddressThatIsNotProvedGivesNoRoleAndNoData() async throws {
        try await Street.run { street in
            let client = try street.client()
            let stranger = try await stranger(client)
            #expect(stranger.user.role == "peer-mentor")
            #expect(try await client.get(home, bearer: stranger.accessToken)["screen"] == "peer-mentor-home")
            // The member's own login changes nothing about the stranger's account.
            street.change { $0[.vipps].resident = member }
            let own = try await Login(.vipps, client).session()
            #expect(own.user.role == "coordinator")
            #expect(own.user.id != stranger.user.id)
            let proof = ["password": "correct horse"]
            #expect(try await client.post("/gateway/v1/step-up", proof, bearer: stranger.accessToken).status == 204)
            let data = try await client.get("/gateway/v1/personal-data", bearer: stranger.accessToken)
            #expect(data.status == 200)
            #expect(data["national_id"] == nil)
            #expect(data["phone"] == nil)
            #expect(try await client.get(home, bearer: stranger.accessToken)["screen"] == "peer-mentor-home")
        }
    }

    @Test func theFirstProofOfAnAddressRemovesTheAccessBefore() async throws {
        try await Street.run { street in
            let client = try street.client()
            let stranger = try await stranger(client)
            let phone = try Phone("pixel-fingerprint", street)
            let access = try await phone.access(member.email) { try await phone.codeToken(member.email, $0) }
            #expect(try await client.get(home, bearer: access)["screen"] == "coordinator-home")
            #expect(try await client.get(home, bearer: stranger.accessToken).code == "session_not_found")
            let password = ["email": member.email, "password": "correct horse"]
            #expect(try await client.post(token, password).code == "invalid_credentials")
        }
    }

    @Test func aSignedInUserProvesTheAddressAndKeepsThePassword() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await stranger(client)
            let root = "/gateway/v1/email"
            #expect(try await client.send("POST", root + "/send-code", bearer: session.accessToken).status == 204)
            let wrong = try await client.post(root + "/verify", ["code": "x"], bearer: session.accessToken)
            #expect(wrong.status == 400)
            let code = try #require(try await client.codes(to: member.email).last)
            #expect(try await client.post(root + "/verify", ["code": code], bearer: session.accessToken).status == 204)
            let again = try Session(
                try await client.post(token, ["email": member.email, "password": "correct horse"]))
            #expect(again.user.role == "coordinator")
            #expect(again.user.id == session.user.id)
        }
    }

    @Test func aSignedInUserAddsALoginThatNoOtherUserHas() async throws {
        try await Street.run { street in
            let client = try street.client()
            let account = ["username": "ada@example.com", "displayName": "Ada", "password": "correct horse"]
            #expect(try await client.post("/api/v1/auth/accounts", account).status == 201)
            let own = try Session(
                try await client.post(token, ["email": "ada@example.com", "password": "correct horse"]))
            let login = Login(.vipps, client)
            #expect(try await login.link(own.accessToken).code == "address_unproved")
            _ = try await street.services.proveAddress("ada@example.com")
            #expect(try await Login(.vipps, client).link(own.accessToken).status == 200)
            #expect(try await Login(.vipps, client).session().user.id == own.user.id)
            // The same member's other login is this user's, too.
            #expect(try await Login(.bankid, client).session().user.id == own.user.id)
            let other = ["username": "bob@example.com", "displayName": "Bob", "password": "correct horse"]
            #expect(try await client.post("/api/v1/auth/accounts", other).status == 201)
            let bob = try Session(
                try await client.post(token, ["email": "bob@example.com", "password": "correct horse"]))
            _ = try await street.services.proveAddress("bob@example.com")
            #expect(try await Login(.vipps, client).link(bob.accessToken).code == "identity_linked")
            await #expect {
                try await street.services.proveAddress("eve@example.com")
            } throws: { error in
                "\(error)" == "No account has this address; create the account first."
            }
        }
    }

    @Test func aRoleThatTheMemberSystemChangesCountsAtRefreshAndHome() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            #expect(session.user.role == "peer-mentor")
            _ = try await street.services.changeMember("kari", MemberChange(role: .organizationAdministrator))
            #expect(try await client.get(home, bearer: session.accessToken)["screen"] == "administrator-home")
            let body = ["refresh_token": session.refreshToken]
            let renewed = try Session(try await client.post("/gateway/v1/token?grant_type=refresh_token", body))
            #expect(renewed.user.role == "organization-administrator")
        }
    }
}
