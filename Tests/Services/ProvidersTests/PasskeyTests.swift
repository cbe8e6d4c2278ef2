import Foundation
import Providers
import Testing

/// Passkeys of the Authsignal-like service: registration, sign-in for an action, list and removal (K2, K9, K10, A17, N12).
@Suite struct PasskeyTests {
    private let nora = "nora@touchstone.example"
    private let omar = "omar@touchstone.example"

    private func signedUp(_ profile: String, _ street: Street) async throws -> (Phone, Session) {
        let phone = try Phone(profile, street)
        try await phone.signUp(nora)
        return (phone, try await phone.session(nora))
    }

    @Test func theAppsSessionAddsAPasskeyThatTheListShows() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("pixel-fingerprint", street)
            let added = try await phone.register(session)
            #expect(added.status == 200)
            let answer = try await phone.http.get(
                "/authsignal/v1/client/user-authenticators", bearer: session.accessToken)
            let rows = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
            #expect(rows.count == 1)
            #expect(rows.first?["userAuthenticatorId"] as? String == added["userAuthenticatorId"])
            #expect(rows.first?["verificationMethod"] as? String == "PASSKEY")
            #expect(rows.first?["createdAt"] is String)
            #expect(rows.first?["lastVerifiedAt"] == nil)
        }
    }

    @Test func addingAPasskeyNeedsASessionOfTheLastMinutes() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("pixel-fingerprint", street)
            let path = "/authsignal/v1/client/user-authenticators/passkey/registration-options"
            #expect(try await phone.http.post(path, [String: String]()).code == "no_authorization")
            #expect(try await phone.http.post(path, [String: String](), bearer: "x").code == "bad_jwt")
            street.advance(by: .seconds(301))
            let late = try await phone.http.post(path, [String: String](), bearer: session.accessToken)
            #expect(late.status == 403)
            #expect(late.code == "reauthentication.required")
        }
    }

    @Test func aChallengeOfAnotherAccountAddsNoPasskey() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("pixel-fingerprint", street)
            try await phone.signUp(omar)
            let other = try await phone.session(omar)
            let begun = try await phone.begin("registration-options", bearer: session.accessToken)
            let credential = try await phone.create(begun.options)
            let crossed = try await phone.complete(
                "/user-authenticators/passkey", "registrationCredential", begun.challenge, credential,
                bearer: other.accessToken)
            #expect(crossed.status == 401)
            #expect(try await phone.passkeyIDs(other).isEmpty)
        }
    }

    @Test func aPasskeyNamesItsUserAndSignsIn() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("iphone-face-id", street)
            #expect(try await phone.register(session).status == 200)
            let missing = try await phone.http.post(
                "/authsignal/v1/client/user-authenticators/passkey/authentication-options", [String: String]())
            #expect(missing["errorCode"] == "action_missing")
            let begun = try await phone.begin("authentication-options", ["action": "cognitoAuth"])
            #expect((begun.options["allowCredentials"] as? [Any] ?? []).isEmpty)
            let renewed = try await phone.passkeySession(nora)
            #expect(renewed.user.id == session.user.id)
            #expect(!renewed.firstLogin)
        }
    }

    @Test func anAnswerToAPasskeyChallengeIsGoodOnce() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("pixel-fingerprint", street)
            #expect(try await phone.register(session).status == 200)
            let begun = try await phone.begin("authentication-options", ["action": "cognitoAuth"])
            let credential = try await phone.get(begun.options)
            #expect(
                try await phone.complete("/verify/passkey", "authenticationCredential", begun.challenge, credential)
                    .status == 200)
            let again = try await phone.complete(
                "/verify/passkey", "authenticationCredential", begun.challenge, credential)
            #expect(again["errorCode"] == "passkey_refused")
            let other = try await phone.begin("authentication-options", ["action": "cognitoAuth"])
            let moved = try await phone.complete(
                "/verify/passkey", "authenticationCredential", other.challenge, credential)
            #expect(moved["errorCode"] == "passkey_refused")
        }
    }

    @Test func aTokenSignsInOnlyItsOwnUserAndOnlyForItsAction() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("pixel-fingerprint", street)
            #expect(try await phone.register(session).status == 200)
            try await phone.signUp(omar)
            let token = try await phone.signIn().token
            let foreign = try await phone.respond(omar, try await phone.challenge(omar), token)
            #expect(foreign.object?["AuthenticationResult"] == nil)
            #expect(foreign["ChallengeName"] == "CUSTOM_CHALLENGE")
            let removal = try await phone.signIn(for: "removePasskey").token
            let misused = try await phone.respond(nora, try await phone.challenge(nora), removal)
            #expect(misused.object?["AuthenticationResult"] == nil)
            #expect(misused["ChallengeName"] == "CUSTOM_CHALLENGE")
        }
    }

    @Test func aRemovalNeedsAPasskeysTokenForIt() async throws {
        try await Street.run { street in
            let (phone, session) = try await signedUp("pixel-fingerprint", street)
            #expect(try await phone.register(session).status == 200)
            let id = try #require(try await phone.passkeyIDs(session).first)
            let ofCode = try await phone.codeToken(nora, try await phone.challenge(nora))
            for token in [nil, session.accessToken, ofCode, try await phone.signIn().token] {
                let answer = try await phone.remove(id, token)
                #expect(answer.status == 401)
                #expect(answer["errorCode"] == "invalid_token")
            }
            let last = try await phone.remove(id, try await phone.signIn(for: "removePasskey").token)
            #expect(last.status == 409)
            #expect(last.code == "credential.last")
            #expect(try await phone.passkeyIDs(session) == [id])
        }
    }

    @Test func aRemovedPasskeyEndsTheSessionsThatItOpened() async throws {
        try await Street.run { street in
            let (pixel, session) = try await signedUp("pixel-fingerprint", street)
            #expect(try await pixel.register(session).status == 200)
            let id = try #require(try await pixel.passkeyIDs(session).first)
            let opened = try await pixel.passkeySession(nora)
            let iphone = try Phone("iphone-face-id", street)
            let ofCode = try await iphone.session(nora)
            #expect(try await iphone.register(ofCode).status == 200)
            let token = try await iphone.signIn(for: "removePasskey").token
            #expect(try await iphone.remove(id, token).status == 204)
            // The token is used up.
            #expect(try await iphone.remove(id, token)["errorCode"] == "invalid_token")

            let home = try await pixel.http.get("/gateway/v1/home", bearer: opened.accessToken)
            #expect((home.status, home.code) == (401, "session_not_found"))
            let refreshed = try await pixel.http.post(
                "/gateway/v1/token?grant_type=refresh_token", ["refresh_token": opened.refreshToken])
            #expect((refreshed.status, refreshed.code) == (400, "session_not_found"))
            for kept in [session, ofCode] {
                #expect(try await pixel.http.get("/gateway/v1/home", bearer: kept.accessToken).status == 200)
            }
            let begun = try await pixel.begin("authentication-options", ["action": "cognitoAuth"])
            let gone = try await pixel.complete(
                "/verify/passkey", "authenticationCredential", begun.challenge, try await pixel.get(begun.options))
            #expect(gone["errorCode"] == "passkey_refused")
            #expect(try await iphone.passkeySession(nora).user.id == session.user.id)
        }
    }

    @Test func anAccessTokenIsExchangedOnceAndOnlyAfterACustomAuthentication() async throws {
        try await Street.run { street in
            let phone = try Phone("pixel-fingerprint", street)
            try await phone.signUp(nora)
            let access = try await phone.access(nora) { try await phone.codeToken(nora, $0) }
            let path = "/gateway/v1/login/cognito"
            let session = try Session(try await phone.http.post(path, ["access_token": access]))
            #expect(session.firstLogin)
            #expect(try await phone.http.post(path, ["access_token": access]).code == "session_not_found")
            let own = try await phone.http.post(path, ["access_token": session.accessToken])
            #expect((own.status, own.code) == (400, "custom_auth_required"))
            let provider = try await Login(.bankid, phone.http).session()
            let other = try await phone.http.post(path, ["access_token": provider.accessToken])
            #expect((other.status, other.code) == (400, "custom_auth_required"))
            #expect(try await phone.http.post(path, ["access_token": "x"]).code == "bad_jwt")
        }
    }

    @Test func theIDTokenNamesTheUserAndItsKeyIsPublished() async throws {
        try await Street.run { street in
            let phone = try Phone("pixel-fingerprint", street)
            try await phone.signUp(nora)
            let challenge = try await phone.challenge(nora)
            let answer = try await phone.respond(nora, challenge, try await phone.codeToken(nora, challenge))
            let result = try #require(answer.object?["AuthenticationResult"] as? [String: Any])
            let token = try Token(result["IdToken"] as? String)
            #expect(token.header["alg"] == "RS256")
            #expect(token.claims["iss"] == (try street.base) + "/cognito")
            #expect(token.claims["aud"] == "touchstone-app")
            #expect(token.claims["cognito:username"] == nora)
            #expect(token.claims["token_use"] == "id")
            let keys = try await phone.http.get("/cognito/.well-known/jwks.json")
            let published = try #require(keys.object?["keys"] as? [[String: Any]])
            #expect(published.map { $0["kid"] as? String } == [token.header["kid"]])
        }
    }
}
