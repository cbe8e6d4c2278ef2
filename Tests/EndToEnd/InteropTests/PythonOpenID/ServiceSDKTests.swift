import Foundation
import Providers
import RelyingPartyServer
import TestSupport
import Testing

extension Interop {
    /// The services with the clients of apps: `boto3`, `supabase_auth`, and the requests of Authsignal's SDK.
    @Suite struct ServiceSDKTests {
        private struct Summary: Decodable {
            struct Cognito: Decodable {
                let unknown: String
                let isConfirmed: Bool
                let confirmation: String
                let username: String
                let attributes: [String: String]
                let refreshKeepsItsToken: Bool
                let rotates: Bool
                let revoked: String
                let signedOut: String
            }

            struct Supabase: Decodable {
                let wrong: String
                let email: String
                let provider: String
                let badToken: String
                let rotates: Bool
                let after: String
                let isSignedOut: Bool
                let reset: [String: String]
            }

            struct Authsignal: Decodable {
                let hasOptions: Bool
                let refused: String
                let withoutToken: String
            }

            let cognito: Cognito
            let supabase: Supabase
            let authsignal: Authsignal
        }

        @Test func theServicesServeTheClientsOfApps() async throws {
            var configuration = RelyingPartyConfiguration()
            configuration.services = [LoopbackServices()]
            let server = try await RelyingPartyServer.start(configuration)
            let script = try String(contentsOf: Script.directory.appending(path: "service_sdks.py"), encoding: .utf8)
            let output: Python.Output
            do {
                output = try await Python.run(script: script, standardInput: #"{"base": "\#(server.baseURL)"}"#)
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            let summary = try JSONDecoder().decode(Summary.self, from: Data(output.standardOutput.utf8))
            let cognito = summary.cognito
            #expect(cognito.unknown == "UserNotFoundException: User does not exist.")
            #expect(cognito.isConfirmed)
            #expect(
                cognito.confirmation
                    == "NotAuthorizedException: User cannot be confirmed. Current status is CONFIRMED")
            #expect(cognito.username == "nora@touchstone.example")
            #expect(cognito.attributes["email_verified"] == "true")
            #expect(cognito.refreshKeepsItsToken)
            #expect(cognito.rotates)
            #expect(cognito.revoked == "NotAuthorizedException: Refresh Token has been revoked")
            #expect(cognito.signedOut == "NotAuthorizedException: Access Token has been revoked")
            let supabase = summary.supabase
            #expect(supabase.wrong == "invalid_credentials")
            #expect(supabase.email == "olav@touchstone.example")
            #expect(supabase.provider == "email")
            #expect(supabase.badToken == "bad_jwt")
            #expect(
                supabase.reset == [
                    "method": "recovery", "wrongCode": "otp_expired", "weak": "weak_password",
                    "again": "reauthentication_needed", "old": "invalid_credentials", "new": "accepted",
                ])
            #expect(supabase.rotates)
            #expect(supabase.after == "session_not_found")
            #expect(supabase.isSignedOut)
            #expect(summary.authsignal.hasOptions)
            #expect(summary.authsignal.refused == "passkey_refused")
            #expect(summary.authsignal.withoutToken == "invalid_token")
        }
    }
}
