import Foundation
import Providers
import Testing

/// Proofs of the user for protected operations, and sessions of one installation.
@Suite struct StepUpTests {
    private let data = "/gateway/v1/personal-data"
    private let stepUp = "/gateway/v1/step-up"

    @Test func aProofIsGoodForOneOperationWithinFiveMinutes() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            let (token, proof) = (session.accessToken, ["refresh_token": session.refreshToken])
            let refused = try await client.get(data, bearer: token)
            #expect(refused.status == 403)
            #expect(refused.code == "step_up_required")
            #expect(try await client.post(stepUp, proof, bearer: token).status == 204)
            #expect(try await client.get(data, bearer: token).status == 200)
            #expect(try await client.get(data, bearer: token).code == "step_up_required")
            #expect(try await client.post(stepUp, proof, bearer: token).status == 204)
            street.advance(by: .seconds(300))
            #expect(try await client.get(data, bearer: token).code == "step_up_required")
            let claim = ["description": "Train"]
            let key = ["Idempotency-Key": "key-1"]
            let url = "/gateway/v1/expense-claims"
            #expect(try await client.post(url, claim, bearer: token, fields: key).code == "step_up_required")
            #expect(try await client.post(stepUp, proof, bearer: token).status == 204)
            #expect(try await client.post(url, claim, bearer: token, fields: key).status == 201)
            // The same claim again is the same claim: its answer may have been lost.
            #expect(try await client.post(url, claim, bearer: token, fields: key).status == 200)
        }
    }

    @Test func onlyTheSessionsOwnTokenOrThePasswordIsAProof() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            let other = try await Login(.bankid, client).session()
            for proof in [[:], ["refresh_token": other.refreshToken], ["refresh_token": session.accessToken]] {
                let refused = try await client.post(stepUp, proof, bearer: session.accessToken)
                #expect(refused.status == 403)
                #expect(refused.code == "step_up_refused")
            }
            let wrong = try await client.post(stepUp, ["password": "wrong horse"], bearer: session.accessToken)
            #expect(wrong.code == "invalid_credentials")
            #expect(try await client.get(data, bearer: session.accessToken).code == "step_up_required")
        }
    }

    @Test func theTokenBeforeTheActiveOneIsAProofAndAnOlderOneIsNot() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            var newest = session
            for status in [204, 403] {
                // The answer may have been lost on its way to the app.
                newest = try Session(
                    try await client.post(
                        "/gateway/v1/token?grant_type=refresh_token", ["refresh_token": newest.refreshToken]))
                let proof = ["refresh_token": session.refreshToken]
                #expect(try await client.post(stepUp, proof, bearer: newest.accessToken).status == status)
            }
        }
    }

    @Test func anInstallationHasOneSession() async throws {
        try await Street.run { street in
            let client = try street.client()
            let fields = ["App-Installation": "0123456789abcdef"]
            let first = try await Login(.vipps, client).session(fields)
            let elsewhere = try await Login(.vipps, client).session()
            let second = try await Login(.bankid, client).session(fields)
            #expect(try await client.get("/gateway/v1/home", bearer: first.accessToken).code == "session_not_found")
            #expect(try await client.get("/gateway/v1/home", bearer: elsewhere.accessToken).status == 200)
            #expect(try await client.get("/gateway/v1/home", bearer: second.accessToken).status == 200)
        }
    }

    @Test func aRefreshTokenEndsItsSessionAtAnyAge() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            street.advance(by: .seconds(7200))
            let path = "/gateway/v1/revoke"
            #expect(try await client.post(path, ["refresh_token": session.refreshToken]).status == 204)
            #expect(try await client.post(path, ["refresh_token": "unknown"]).status == 204)
            let body = ["refresh_token": session.refreshToken]
            let refused = try await client.post("/gateway/v1/token?grant_type=refresh_token", body)
            #expect(refused.code == "session_not_found")
        }
    }
}
