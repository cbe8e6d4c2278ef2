import Foundation
import Providers
import Testing

@Suite struct GatewayTests {
    private let home = "/gateway/v1/home"

    @Test(arguments: OpenIDProviderName.allCases) func aProviderLoginOpensASession(
        _ provider: OpenIDProviderName
    ) async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(provider, client).session()
            #expect(session.tokenType == "bearer")
            #expect(session.expiresIn == 3600)
            #expect(session.user.name == "Kari Nordmann")
            #expect(session.user.role == "peer-mentor")
            #expect(session.user.identityVerified)
            #expect(session.user.nationalId == Resident.kari.nationalID)
            #expect(session.firstLogin)
            let answer = try await client.get(home, bearer: session.accessToken)
            #expect(answer["screen"] == "peer-mentor-home")
            #expect(try await Login(provider, client).session().firstLogin == false)
        }
    }

    @Test(arguments: [("kari", "peer-mentor-home"), ("ola", "coordinator-home"), ("ingrid", "administrator-home")])
    func eachRoleHasItsHome(_ resident: String, _ screen: String) async throws {
        try await Street.run { street in
            street.change { $0[.vipps].resident = Resident(id: resident) ?? .kari }
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            #expect(try await client.get(home, bearer: session.accessToken)["screen"] == screen)
        }
    }

    @Test func bothProvidersLeadToOneUser() async throws {
        try await Street.run { street in
            let client = try street.client()
            let first = try await Login(.bankid, client).session()
            let second = try await Login(.vipps, client).session()
            #expect(first.user.id == second.user.id)
            #expect(second.firstLogin == false)
        }
    }

    @Test(arguments: [
        (OpenIDFault.wrongNonce, "id_token_invalid"), (.noNonce, "id_token_invalid"),
        (.wrongIssuer, "id_token_invalid"), (.wrongAudience, "id_token_invalid"),
        (.expiredToken, "id_token_invalid"), (.wrongSignature, "id_token_invalid"),
        (.unknownKey, "id_token_invalid"), (.unsigned, "id_token_invalid"),
        (.hmacWithPublicKey, "id_token_invalid"), (.otherSubject, "userinfo_invalid"),
        (.expiredCode, "code_refused"), (.usedCode, "code_refused"),
    ]) func aFaultyProviderOpensNoSession(_ fault: OpenIDFault, _ code: String) async throws {
        try await Street.run { street in
            let login = Login(.vipps, try street.client())
            street.change { $0[.vipps].fault = fault }
            let refused = try await login.gateway()
            #expect(refused.status == 400)
            #expect(refused.code == code)
            street.change { $0[.vipps].fault = nil }
            #expect(try await login.gateway().status == 200)
        }
    }

    @Test func theGatewayReadsRotatedKeysAgain() async throws {
        try await Street.run { street in
            let login = Login(.bankid, try street.client())
            #expect(try await login.gateway().status == 200)
            #expect(try await login.gateway().status == 200)
            let read = { street.services.journal.all.count { $0.endpoint == "keys" } }
            #expect(read() == 1)
            street.change { $0[.bankid].fault = .rotatedKey }
            #expect(try await login.gateway().status == 200)
            #expect(read() == 2)
        }
    }

    @Test(arguments: ServiceOutage.allCases) func aProviderWithoutAnAnswerIsUnavailable(
        _ outage: ServiceOutage
    ) async throws {
        try await Street.run { street in
            let login = Login(.bankid, try street.client())
            street.change {
                $0[.bankid].outage = outage
                $0[.bankid].endpoint = "token"
            }
            let refused = try await login.gateway()
            #expect(refused.status == 503)
            #expect(refused.code == "provider_unavailable")
        }
    }

    @Test func aWrongVerifierOrRedirectURIOpensNoSession() async throws {
        try await Street.run { street in
            let login = Login(.bankid, try street.client())
            let wrong = try await login.gateway(["code_verifier": String(repeating: "w", count: 64)])
            #expect(wrong.code == "code_refused")
            #expect(try await login.gateway(["redirect_uri": "https://other.example"]).code == "code_refused")
            #expect(try await login.gateway(["nonce": "another"]).code == "id_token_invalid")
        }
    }

    @Test func aPasswordLogsInAndWrongOnesWait() async throws {
        try await Street.run { street in
            let client = try street.client()
            let account = ["username": "ola@touchstone.example", "displayName": "Ola", "password": "correct horse"]
            #expect(try await client.post("/api/v1/auth/accounts", account).status == 201)
            let path = "/gateway/v1/token?grant_type=password"
            let right = ["email": "ola@touchstone.example", "password": "correct horse"]
            let session = try Session(try await client.post(path, right))
            #expect(session.user.role == "peer-mentor")
            #expect(session.user.identityVerified == false)
            let wrong = ["email": "ola@touchstone.example", "password": "wrong horse"]
            for _ in 1...5 {
                let refused = try await client.post(path, wrong)
                #expect(refused.status == 400)
                #expect(refused.code == "invalid_credentials")
            }
            let limited = try await client.post(path, right)
            #expect(limited.status == 429)
            #expect(limited.code == "over_request_rate_limit")
            #expect(limited.field("Retry-After") == "30")
            street.advance(by: .seconds(30))
            #expect(try await client.post(path, right).status == 200)
        }
    }

    @Test func requestsNeedAValidAccessToken() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            #expect(try await client.get(home).code == "no_authorization")
            #expect(try await client.get(home, bearer: "no.jwt").code == "bad_jwt")
            #expect(try await client.get(home, bearer: session.accessToken + "A").code == "bad_jwt")
            street.advance(by: .seconds(3599))
            #expect(try await client.get(home, bearer: session.accessToken).status == 200)
            street.advance(by: .seconds(1))
            let expired = try await client.get(home, bearer: session.accessToken)
            #expect(expired.status == 401)
            #expect(expired.code == "session_expired")
        }
    }

    @Test func submissionsAreStoredOnce() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            let token = session.accessToken
            for (path, list) in [("activities", "activities"), ("expense-claims", "expense_claims")] {
                let url = "/gateway/v1/\(path)"
                let key = ["Idempotency-Key": "key-1"]
                let run = ["description": "Training"]
                let proof = ["refresh_token": session.refreshToken]
                #expect(try await client.post("/gateway/v1/step-up", proof, bearer: token).status == 204)
                let first = try await client.post(url, run, bearer: token, fields: key)
                #expect(first.status == 201)
                let again = try await client.post(url, run, bearer: token, fields: key)
                #expect(again.status == 200)
                #expect(again.field("Idempotency-Replayed") == "true")
                #expect(again["id"] == first["id"])
                let other = try await client.post(url, ["description": "Match"], bearer: token, fields: key)
                #expect(other.status == 422)
                #expect(other.code == "idempotency_key_reused")
                #expect(try await client.post(url, run, bearer: token).code == "idempotency_key_missing")
                let stored =
                    try JSONSerialization.jsonObject(
                        with: try await client.get(url, bearer: token).body) as? [String: [Any]]
                #expect(stored?[list]?.count == 1)
            }
        }
    }

    @Test func personalDataIsTheUsersOwn() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            let proof = ["refresh_token": session.refreshToken]
            #expect(try await client.post("/gateway/v1/step-up", proof, bearer: session.accessToken).status == 204)
            let data = try await client.get("/gateway/v1/personal-data", bearer: session.accessToken)
            #expect(data["national_id"] == Resident.kari.nationalID)
            #expect(data["phone"] == Resident.kari.phoneNumber)
            #expect(try await client.get("/gateway/v1/personal-data").status == 401)
        }
    }

    @Test func thePasskeySessionCountsFromTheLogin() async throws {
        try await Street.run { street in
            let client = try street.client()
            let session = try await Login(.vipps, client).session()
            let begin = "/api/v1/auth/passkeys/register/begin"
            func token() async throws -> String? {
                try await client.send("POST", "/gateway/v1/passkey-session", bearer: session.accessToken)["token"]
            }
            #expect(try await client.send("POST", begin, bearer: try await token()).status == 200)
            street.advance(by: .seconds(301))
            let late = try await client.send("POST", begin, bearer: try await token())
            #expect(late.code == "reauthentication.required")
        }
    }

    @Test func theOrganisationsRuleIsInTheSession() async throws {
        try await Street.run { street in
            street.change { $0.gateway.biometrics = .forbidden }
            let client = try street.client()
            #expect(try await Login(.vipps, client).session().policy.biometrics == "forbidden")
            #expect(try await client.get("/gateway/v1/policy")["biometrics"] == "forbidden")
        }
    }
}
