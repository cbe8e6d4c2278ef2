import Foundation
import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

/// Pages of related origins and frames, and cookies on https.
@Suite struct CrossOriginTests {
    private static let related: Site.Configure = { $0.relatedOrigins = ["https://shop.example"] }

    @Test(arguments: ["https://shop.example", "https://evil.example", "null"])
    func onlyAPageOfAnAcceptedOriginMayReadAnswers(origin: String) async throws {
        try await Site.run(configure: Self.related) { site in
            let browser = try site.browser()
            let isAccepted = origin == "https://shop.example"
            for path in ["/healthz", "/api/v1/auth/session", "/nothing"] {
                let answer = try await browser.send("GET", path, fields: ["Origin": origin])
                #expect(answer.field("Access-Control-Allow-Origin") == (isAccepted ? origin : nil))
                #expect(answer.field("Access-Control-Allow-Credentials") == (isAccepted ? "true" : nil))
                #expect(answer.field("Vary") == (isAccepted ? "Origin" : nil))
            }
        }
    }

    @Test(arguments: [("https://shop.example", 204), ("https://evil.example", 405)])
    func aPreflightIsAnsweredToAnAcceptedOrigin(origin: String, status: Int) async throws {
        try await Site.run(configure: Self.related) { site in
            let answer = try await site.browser().send(
                "OPTIONS", "/api/v1/auth/passkeys/register/begin",
                fields: ["Origin": origin, "Access-Control-Request-Method": "POST"])
            #expect(answer.status == status)
            let methods = answer.field("Access-Control-Allow-Methods")
            #expect(methods == (status == 204 ? "GET, POST, PUT, PATCH, DELETE" : nil))
            #expect(
                answer.field("Access-Control-Allow-Headers") == (status == 204 ? "Authorization, Content-Type" : nil))
        }
    }

    @Test(
        arguments: [
            ("https://shop.example", true), ("http://localhost:8000", false), (nil, false),
        ] as [(String?, Bool)])
    func aCookieToAPageOnHTTPSIsSecure(origin: String?, isSecure: Bool) async throws {
        let origins = ["http://localhost:8000", "https://shop.example"]
        try await Site.run(configure: { $0.origins = origins }) { site in
            let browser = try site.browser()
            let answer = try await browser.send(
                "POST", browser.api("accounts"), json(["username": "ada", "displayName": "Ada"]),
                fields: origin.map { ["Origin": $0] } ?? [:])
            let attributes = try #require(answer.field("Set-Cookie")).components(separatedBy: "; ")
            #expect(attributes.contains("Secure") == isSecure)
        }
    }

    @Test func everyCookieOfASiteOnHTTPSIsSecure() async throws {
        try await Site.run(configure: { $0.origins = ["https://example.org"] }) { site in
            let browser = try site.browser()
            let begun = try await browser.post("passkeys/authenticate/begin")
            #expect(begun.field("Set-Cookie")?.contains("Secure") == true)
        }
    }

    @Test(
        arguments: [
            (false, nil, [VerificationStep.crossOrigin]), (true, nil, []),
            (false, "https://bank.example", [.crossOrigin, .topOrigin]), (true, "https://bank.example", []),
            (true, "https://evil.example", [.topOrigin]),
        ] as [(Bool, String?, [VerificationStep])])
    func framesRegisterWhereThePolicyAllowsThem(
        isAllowed: Bool, topOrigin: String?, failed: [VerificationStep]
    ) async throws {
        let configure: Site.Configure = {
            $0.crossOriginAllowed = isAllowed
            $0.topOrigins = ["https://bank.example"]
        }
        try await Site.run(configure: configure) { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            let response = signer.register(try await ada.beginRegistration()) {
                $0.clientData.crossOrigin = true
                $0.clientData.topOrigin = topOrigin
            }
            let answer = try await ada.post("passkeys/register/complete", response)
            #expect(answer.failedSteps == failed)
            #expect(answer.status == (failed.isEmpty ? 201 : 422))
        }
    }
}
