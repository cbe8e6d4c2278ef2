import Foundation
import JWTKit
import Providers
import Testing

@Suite struct OpenIDProviderTests {
    @Test(arguments: OpenIDProviderName.allCases) func aLoginYieldsAnIDTokenOfTheProvider(
        _ provider: OpenIDProviderName
    ) async throws {
        try await Street.run { street in
            let login = Login(provider, try street.client())
            let callback = try await login.decide()
            #expect(callback.status == 302)
            #expect(callback.field("Location")?.hasPrefix("https://app.touchstone.example/callback?code=") == true)
            #expect(callback.redirected["state"] == login.state)
            let tokens = try await login.exchange(try #require(callback.redirected["code"]))
            #expect(tokens.status == 200)
            let text = try #require(tokens["id_token"])
            let token = try Token(text)
            #expect(token.header["alg"] == "RS256")
            #expect(try await login.endpoint("issuer") == token.claims["iss"])
            #expect(token.claims["aud"] == "touchstone-app")
            #expect(token.claims["nonce"] == login.nonce)
            #expect(token.claims["exp"] == "1780000300")
            let keys = try await login.client.get(try await login.endpoint("jwks_uri")).text
            let collection = try await JWTKeyCollection().add(jwksJSON: keys)
            _ = try await collection.verify(text, as: Claims.self)
        }
    }

    private struct Claims: JWTPayload {
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    @Test func bankIDStatesThePersonnummerInTheIDTokenAndVippsInUserInfo() async throws {
        try await Street.run { street in
            let client = try street.client()
            for (provider, claim) in [(OpenIDProviderName.bankid, "nnin_altsub"), (.vipps, "nin")] {
                let login = Login(provider, client)
                let tokens = try await login.tokens()
                let info = try await client.get(
                    try await login.endpoint("userinfo_endpoint"), bearer: tokens["access_token"])
                let inToken = try Token(tokens["id_token"]).claims[claim]
                #expect(inToken == (provider == .bankid ? Resident.kari.nationalID : nil))
                #expect(info[claim] == (provider == .vipps ? Resident.kari.nationalID : nil))
                #expect(info["name"] == "Kari Nordmann")
            }
        }
    }

    @Test(arguments: NationalIDPlace.allCases) func thePersonnummerIsWhereTheSettingPutsIt(
        _ place: NationalIDPlace
    ) async throws {
        try await Street.run { street in
            street.change { $0[.vipps].nationalID = place }
            let login = Login(.vipps, try street.client())
            let tokens = try await login.tokens()
            let info = try await login.client.get(
                try await login.endpoint("userinfo_endpoint"), bearer: tokens["access_token"])
            let claims = try Token(tokens["id_token"]).claims
            #expect((claims["nin"] != nil) == [.idToken, .both].contains(place))
            #expect((info["nin"] != nil) == [.userInfo, .both].contains(place))
            #expect(tokens["scope"]?.split(separator: " ").contains("nin") == (place != .droppedScope))
        }
    }

    @Test func theUserCancelsOrChoosesAnotherResident() async throws {
        try await Street.run { street in
            let login = Login(.bankid, try street.client())
            let cancelled = try await login.decide("cancel")
            #expect(cancelled.redirected["error"] == "access_denied")
            #expect(cancelled.redirected["state"] == login.state)
            #expect(cancelled.redirected["code"] == nil)
            let approved = try await login.decide("approve", as: "ola")
            let tokens = try await login.exchange(try #require(approved.redirected["code"]))
            #expect(try Token(tokens["id_token"]).claims["name"] == "Ola Hansen")
        }
    }

    @Test func aDecisionCountsOnce() async throws {
        try await Street.run { street in
            let login = Login(.vipps, try street.client())
            let page = try await login.open().text
            let request = String(try #require(page.firstMatch(of: /name="request" value="([^"]+)"/)?.1))
            let target = try await login.endpoint("authorization_endpoint") + "/decision"
            let form = ["request": request, "decision": "approve"]
            #expect(try await login.client.post(form: form, to: target).status == 302)
            let again = try await login.client.post(form: form, to: target)
            #expect(again.status == 400)
            #expect(again["error"] == "invalid_request")
        }
    }

    @Test func anUnknownClientOrRedirectURIIsNotRedirected() async throws {
        try await Street.run { street in
            var login = Login(.bankid, try street.client())
            login.redirectURI = "https://attacker.example/callback"
            #expect(try await login.open().status == 400)
            login = Login(.bankid, login.client)
            login.clientID = "another-app"
            let page = try await login.open()
            #expect(page.status == 400)
            #expect(page.field("Location") == nil)
        }
    }

    @Test(arguments: [
        ("response_type", "token", "unsupported_response_type"), ("scope", "profile", "invalid_scope"),
        ("code_challenge_method", "plain", "invalid_request"), ("code_challenge_method", nil, "invalid_request"),
        ("code_challenge", "short", "invalid_request"), ("state", nil, "invalid_request"),
    ]) func aWrongRequestIsRedirectedWithItsError(_ name: String, _ value: String?, _ error: String) async throws {
        try await Street.run { street in
            var login = Login(.vipps, try street.client())
            login.changes = [name: value]
            let answer = try await login.open()
            #expect(answer.status == 302)
            #expect(answer.redirected["error"] == error)
        }
    }

    @Test(arguments: [
        ["code_verifier": String(repeating: "w", count: 64)], ["code_verifier": "short"],
        ["redirect_uri": "https://app.touchstone.example/other"], ["code": "unknown"],
    ]) func aCodeNeedsItsVerifierAndRedirectURI(_ changes: [String: String]) async throws {
        try await Street.run { street in
            let login = Login(.bankid, try street.client())
            let code = try await login.code()
            let refused = try await login.exchange(code, changes)
            #expect(refused.status == 400)
            #expect(refused["error"] == "invalid_grant")
            // A refused exchange does not use the code up.
            #expect(try await login.exchange(code).status == 200)
        }
    }

    @Test func aCodeIsExchangedOnceAndASecondUseRevokesItsAccessToken() async throws {
        try await Street.run { street in
            let login = Login(.vipps, try street.client())
            let code = try await login.code()
            let access = try #require(try await login.exchange(code)["access_token"])
            let userInfo = try await login.endpoint("userinfo_endpoint")
            #expect(try await login.client.get(userInfo, bearer: access).status == 200)
            #expect(try await login.exchange(code)["error"] == "invalid_grant")
            let revoked = try await login.client.get(userInfo, bearer: access)
            #expect(revoked.status == 401)
            #expect(revoked["error"] == "invalid_token")
        }
    }

    @Test func codesAndAccessTokensExpire() async throws {
        try await Street.run { street in
            let login = Login(.vipps, try street.client())
            let late = try await login.code()
            street.advance(by: .seconds(60))
            #expect(try await login.exchange(late)["error"] == "invalid_grant")
            let access = try #require(try await login.tokens()["access_token"])
            let userInfo = try await login.endpoint("userinfo_endpoint")
            street.advance(by: .seconds(599))
            #expect(try await login.client.get(userInfo, bearer: access).status == 200)
            street.advance(by: .seconds(1))
            #expect(try await login.client.get(userInfo, bearer: access).status == 401)
        }
    }
}
