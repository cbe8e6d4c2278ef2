import Foundation
import Providers
import Testing

/// Refresh tokens: rotation, reuse, expiry and the end of sessions.
@Suite struct SessionTests {
    private func refresh(_ token: String, _ client: HTTPClient) async throws -> Answer {
        try await client.post("/gateway/v1/token?grant_type=refresh_token", ["refresh_token": token])
    }

    @Test func eachRefreshTokenIsGoodOnce() async throws {
        try await Street.run { street in
            let client = try street.client()
            let first = try await Login(.bankid, client).session()
            let second = try Session(try await refresh(first.refreshToken, client))
            street.advance(by: .seconds(60))
            let third = try Session(try await refresh(second.refreshToken, client))
            #expect(Set([first.refreshToken, second.refreshToken, third.refreshToken]).count == 3)
            #expect(third.user.id == first.user.id)
            #expect(try await client.get("/gateway/v1/home", bearer: third.accessToken).status == 200)
        }
    }

    @Test func theSessionTellsItsOwnEnd() async throws {
        try await Street.run { street in
            let client = try street.client()
            let login = Int(street.now.components.seconds)
            let first = try await Login(.bankid, client).session()
            #expect(first.sessionExpiresAt == login + 30 * 24 * 3600)
            street.change { $0.gateway.inactivityLimit = .seconds(3600) }
            street.advance(by: .seconds(600))
            let second = try Session(try await refresh(first.refreshToken, client))
            #expect(second.sessionExpiresAt == login + 600 + 3600)
            street.advance(by: .seconds(3600))
            let late = try await refresh(second.refreshToken, client)
            #expect(late.status == 400)
            #expect(late.text.contains("session_expired"))
        }
    }

    @Test func aTokenWhoseAnswerWasLostGivesTheActiveOneAgain() async throws {
        try await Street.run { street in
            let client = try street.client()
            let first = try await Login(.bankid, client).session()
            let lost = try Session(try await refresh(first.refreshToken, client))
            street.advance(by: .seconds(3600))
            let again = try Session(try await refresh(first.refreshToken, client))
            #expect(again.refreshToken == lost.refreshToken)
        }
    }

    @Test func theReuseOfAnOldTokenEndsTheSession() async throws {
        try await Street.run { street in
            let client = try street.client()
            let first = try await Login(.bankid, client).session()
            let second = try Session(try await refresh(first.refreshToken, client))
            let third = try Session(try await refresh(second.refreshToken, client))
            // Within the interval two clients may race.
            street.advance(by: .seconds(9))
            let raced = try Session(try await refresh(first.refreshToken, client))
            #expect(raced.refreshToken == third.refreshToken)
            street.advance(by: .seconds(1))
            let reused = try await refresh(first.refreshToken, client)
            #expect(reused.status == 400)
            #expect(reused.code == "refresh_token_already_used")
            #expect(try await refresh(third.refreshToken, client).code == "session_not_found")
            #expect(try await client.get("/gateway/v1/home", bearer: third.accessToken).code == "session_not_found")
        }
    }

    @Test func anExpiredSessionIsToldFromNone() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.bankid, client).session()
            #expect(try await refresh("unknown", client).code == "refresh_token_not_found")
            let forged = "A" + session.refreshToken.dropFirst()
            #expect(try await refresh(forged, client).code == "refresh_token_not_found")
            street.advance(by: .seconds(30 * 24 * 3600))
            let expired = try await refresh(session.refreshToken, client)
            #expect(expired.status == 400)
            #expect(expired.code == "session_expired")
        }
    }

    @Test func inactivityEndsASession() async throws {
        try await Street.run { street in
            street.change { $0.gateway.inactivityLimit = .seconds(7200) }
            let client = try street.client()
            var session = try await Login(.bankid, client).session()
            for _ in 1...3 {
                street.advance(by: .seconds(7199))
                session = try Session(try await refresh(session.refreshToken, client))
            }
            street.advance(by: .seconds(7200))
            #expect(try await refresh(session.refreshToken, client).code == "session_expired")
        }
    }

    @Test(arguments: [("local", [false, true]), ("others", [true, false]), ("global", [false, false])])
    func aLogoutEndsTheSessionsOfItsScope(_ scope: String, _ survives: [Bool]) async throws {
        try await Street.run { street in
            let client = try street.client()
            let sessions = [try await Login(.bankid, client).session(), try await Login(.vipps, client).session()]
            let path = "/gateway/v1/logout?scope=\(scope)"
            #expect(try await client.send("POST", path, bearer: sessions[0].accessToken).status == 204)
            for (session, survives) in zip(sessions, survives) {
                let answer = try await client.get("/gateway/v1/home", bearer: session.accessToken)
                #expect(answer.code == (survives ? nil : "session_not_found"))
            }
        }
    }
}
