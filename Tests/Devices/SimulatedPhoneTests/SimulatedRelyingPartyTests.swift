import Foundation
import RelyingParty
import SimulatedPhone
import Testing

@Suite("A relying party in the test's process")
struct SimulatedRelyingPartyTests {
    @Test("says why it refuses a response")
    func refusals() async throws {
        let app = try PasskeyApp()
        try await app.register()
        func reason(
            _ site: SimulatedRelyingParty,
            _ assertion: SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion, account: String? = nil
        ) -> String? {
            site.verdict(on: assertion, account: account).ledger.firstFailure?.outcome.reasons.first?.label.rawValue
        }
        let assertion = try await app.signIn()
        #expect(reason(app.site, assertion) == nil)
        #expect(reason(app.site, assertion) == "challenge.used")
        let unissued = try await app.controller(
            app.provider.createCredentialAssertionRequest(challenge: Data(count: 32))
        ).perform().credential
        #expect(
            reason(
                app.site, try #require(unissued as? SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion))
                == "challenge.unknown")
        #expect(reason(app.site, try await app.signIn(), account: "bob") == "credential.otherUser")
        #expect(reason(SimulatedRelyingParty("example.com"), assertion) == "credential.unknown")
        let others = SimulatedRelyingParty("example.com", origins: ["https://www.example.com"])
        #expect(reason(others, assertion) != nil)
        app.site.revoke(assertion.credentialID)
        #expect(reason(app.site, try await app.signIn()) == "credential.unknown")
        #expect(app.site.credentials.isEmpty)
    }

    @Test("throws the ledger, and refuses credentials of another kind")
    func errors() async throws {
        let app = try PasskeyApp()
        let authorization = try await app.controller(app.registration()).perform()
        try await app.site.register(authorization, account: "alice")
        let error = await #expect(throws: VerificationError.self) {
            try await app.site.register(authorization, account: "alice")
        }
        #expect(error?.ledger.isAccepted == false)
        #expect(throws: UnexpectedCredential.self) { try app.site.signIn(authorization) }
        let password = SimulatedASPasswordCredential(user: "alice", password: "secret")
        await #expect(throws: UnexpectedCredential.self) { try await app.site.register(password, account: "alice") }
        #expect(app.site.credentialIDs(of: "alice").count == 1)
        #expect(app.site.credentialIDs(of: "bob").isEmpty)
    }

    @Test("asks for the user's verification unless the test says otherwise")
    func verification() async throws {
        let site = SimulatedRelyingParty("example.com", requiresUserVerification: false)
        let phone = try Phone("iphone-face-id")
        let provider = SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: site.id)
        try phone.plugIn("yubikey-5-nfc-5.7")
        func register(at site: SimulatedRelyingParty) async throws {
            let request = provider.createCredentialRegistrationRequest(
                challenge: site.challenge(), displayName: "Alice", name: "alice", userID: site.userID(of: "alice"))
            let controller = SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone)
            try await site.register(try await controller.perform(), account: "alice")
        }
        try await register(at: site)
        await #expect(throws: VerificationError.self) {
            try await register(at: SimulatedRelyingParty("example.com"))
        }
    }
}
