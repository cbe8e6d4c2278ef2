import Foundation
import JWTKit
import Providers
import Testing

/// The deliberate faults of the OpenID providers, one at a time.
@Suite struct OpenIDFaultTests {
    /// Runs a login whose provider has a fault.
    private func with(
        _ fault: OpenIDFault, _ provider: OpenIDProviderName = .bankid, _ test: (Login, Street) async throws -> Void
    ) async throws {
        try await Street.run { street in
            street.change { $0[provider].fault = fault }
            try await test(Login(provider, try street.client()), street)
        }
    }

    @Test func theRedirectCarriesTheFault() async throws {
        try await with(.cancel) { login, _ in
            let callback = try await login.decide("approve")
            #expect(callback.redirected["error"] == "access_denied")
        }
        try await with(.serverError) { login, _ in
            let callback = try await login.decide()
            #expect(callback.redirected["error"] == "server_error")
        }
        try await with(.wrongState) { login, _ in
            let callback = try await login.decide().redirected
            #expect(callback["code"] != nil)
            #expect(callback["state"] != login.state)
        }
        try await with(.noCallback) { login, _ in
            let page = try await login.decide()
            #expect(page.status == 200)
            #expect(page.field("Location") == nil)
        }
    }

    @Test(arguments: [OpenIDFault.expiredCode, .usedCode]) func theCodeIsRefused(_ fault: OpenIDFault) async throws {
        try await with(fault) { login, street in
            let code = try await login.code()
            #expect(try await login.exchange(code)["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [
        (OpenIDFault.wrongIssuer, "iss"), (.wrongAudience, "aud"), (.wrongNonce, "nonce"), (.noNonce, "nonce"),
    ]) func theIDTokenHasAnotherClaim(_ fault: OpenIDFault, _ claim: String) async throws {
        try await Street.run { street in
            let login = Login(.vipps, try street.client())
            let right = try Token(try await login.tokens()["id_token"]).claims[claim]
            street.change { $0[.vipps].fault = fault }
            let wrong = try Token(try await login.tokens()["id_token"]).claims[claim]
            #expect(right != nil)
            #expect(wrong != right)
            #expect((wrong == nil) == (fault == .noNonce))
        }
    }

    @Test func theIDTokenHasExpired() async throws {
        try await with(.expiredToken) { login, street in
            let claims = try Token(try await login.tokens()["id_token"]).claims
            let expiry = try #require(claims["exp"].flatMap { Int($0) })
            #expect(Duration.seconds(expiry) < street.now)
        }
    }

    @Test(arguments: [
        (OpenIDFault.wrongSignature, "RS256", true, false), (.unknownKey, "RS256", false, false),
        (.rotatedKey, "RS256", true, true), (.unsigned, "none", true, false),
        (.hmacWithPublicKey, "HS256", true, false),
    ]) func theSignatureHasTheFault(
        _ fault: OpenIDFault, _ algorithm: String, _ isPublished: Bool, _ isValid: Bool
    ) async throws {
        try await with(fault) { login, _ in
            let text = try #require(try await login.tokens()["id_token"])
            let header = try Token(text).header
            #expect(header["alg"] == algorithm)
            let keys = try await login.client.get(try await login.endpoint("jwks_uri")).text
            let identifier = try #require(header["kid"])
            #expect(keys.contains(identifier) == isPublished)
            let collection = try await JWTKeyCollection().add(jwksJSON: keys)
            let verified = try? await collection.verify(text, as: Subject.self)
            #expect((verified != nil) == isValid)
        }
    }

    private struct Subject: JWTPayload {
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    @Test func userInfoIsAboutAnotherSubject() async throws {
        try await with(.otherSubject, .vipps) { login, _ in
            let tokens = try await login.tokens()
            let info = try await login.client.get(
                try await login.endpoint("userinfo_endpoint"), bearer: tokens["access_token"])
            #expect(try Token(tokens["id_token"]).claims["sub"] != info["sub"])
        }
    }

    /// The issuer contains the port, which differs between runs.
    @Test func aRunRepeatsItsTokens() async throws {
        var runs: [[String: String]] = []
        for _ in 1...2 {
            try await Street.run { street in
                let token = try Token(try await Login(.bankid, try street.client()).tokens()["id_token"])
                runs.append(token.header.merging(token.claims) { $1 }.filter { $0.key != "iss" })
            }
        }
        #expect(runs[0].count > 15)
        #expect(runs[0] == runs[1])
    }
}
