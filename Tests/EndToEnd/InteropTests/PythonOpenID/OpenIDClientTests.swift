import Foundation
import Providers
import RelyingPartyServer
import TestSupport
import Testing

extension Interop {
    /// The OpenID client `authlib` and the token library `joserfc` of PyPI.
    @Suite struct OpenIDClientTests {
        private struct Summary: Decodable {
            struct Login: Decodable {
                let algorithm: String
                let name: String
                let nationalID: String
            }

            struct Gateway: Decodable {
                let role: String
                let screen: String
                let rotated: Bool
                let unknown: String
                let stored: [Int]
                let out: Int
                let after: String
            }

            let providers: [String: Login]
            let gateway: Gateway
        }

        @Test func theProvidersAndTheBackendServeIndependentClients() async throws {
            var configuration = RelyingPartyConfiguration()
            configuration.services = [LoopbackServices()]
            let server = try await RelyingPartyServer.start(configuration)
            let script = try String(
                contentsOf: Script.directory.appending(path: "openid_providers.py"), encoding: .utf8)
            let output: Python.Output
            do {
                output = try await Python.run(script: script, standardInput: #"{"base": "\#(server.baseURL)"}"#)
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            let summary = try JSONDecoder().decode(Summary.self, from: Data(output.standardOutput.utf8))
            for provider in OpenIDProviderName.allCases {
                let login = try #require(summary.providers[provider.rawValue])
                #expect(login.algorithm == "RS256")
                #expect(login.name == "Kari Nordmann")
                #expect(login.nationalID == Resident.kari.nationalID)
            }
            let gateway = summary.gateway
            #expect((gateway.role, gateway.screen) == ("peer-mentor", "peer-mentor-home"))
            #expect(gateway.rotated)
            #expect(gateway.unknown == "refresh_token_not_found")
            #expect(gateway.stored == [201, 200])
            #expect(gateway.out == 204)
            #expect(gateway.after == "session_not_found")
        }
    }
}
