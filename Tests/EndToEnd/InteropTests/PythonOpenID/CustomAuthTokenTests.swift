import Foundation
import Providers
import RelyingPartyServer
import TestSupport
import Testing

extension Interop {
    /// The token library `joserfc` of PyPI reads the Cognito-like service's ID token.
    @Suite struct CustomAuthTokenTests {
        private struct Summary: Decodable {
            let algorithm: String
            let email: String
            let username: String
            let isSameUser: Bool
            let refusesForgery: Bool
        }

        @Test func theIDTokenOfACustomAuthenticationVerifiesWithThePublishedKey() async throws {
            var configuration = RelyingPartyConfiguration()
            configuration.services = [LoopbackServices()]
            let server = try await RelyingPartyServer.start(configuration)
            let script = try String(contentsOf: Script.directory.appending(path: "custom_auth.py"), encoding: .utf8)
            let output: Python.Output
            do {
                output = try await Python.run(script: script, standardInput: #"{"base": "\#(server.baseURL)"}"#)
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            let summary = try JSONDecoder().decode(Summary.self, from: Data(output.standardOutput.utf8))
            #expect(summary.algorithm == "RS256")
            #expect(summary.email == "nora@touchstone.example")
            #expect(summary.username == "nora@touchstone.example")
            #expect(summary.isSameUser)
            #expect(summary.refusesForgery)
        }
    }
}
