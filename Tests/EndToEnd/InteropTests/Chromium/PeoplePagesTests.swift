import Foundation
import Providers
import RelyingPartyServer
import TestSupport
import Testing

extension Interop {
    /// The pages for people, in Chromium with its own virtual authenticator, checked with axe.
    @Suite struct PeoplePagesTests {
        @Test func aUserCreatesAPasskeyAndSignsInWithIt() async throws {
            var configuration = RelyingPartyConfiguration()
            configuration.services = [LoopbackServices()]
            let server = try await RelyingPartyServer.start(configuration)
            let challenge = CodeVerifier.challenge(of: String(repeating: "v", count: 64))
            let provider =
                "/bankid/protocol/openid-connect/auth?response_type=code&client_id=touchstone-app&scope=openid"
                + "&redirect_uri=https%3A%2F%2Fapp.touchstone.example%2Fcallback&state=state-0123456789"
                + "&code_challenge_method=S256&code_challenge=\(challenge)"
            do {
                _ = try await Script.run(
                    "people_pages", in: [Script.directory],
                    ["base": .text(server.baseURL), "provider": .text(provider)])
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }
    }
}
