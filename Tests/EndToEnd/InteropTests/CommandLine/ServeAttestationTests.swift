import Attestation
import AttestationSamples
import COSE
import Documents
import Foundation
import TestSupport
import Testing
import WebAuthn

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Interop {
    /// The options for attestation of `touchstone serve`, each with a registration that it accepts.
    @Suite struct ServeAttestationTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
        private static let model = "\(AttestationSample.model)"

        /// Options, and the registration that they accept.
        struct Row: Sendable, CustomTestStringConvertible {
            let options: [String]
            let kind: AttestationKind
            var algorithm = COSE.Algorithm.es256
            var statedAlgorithm: COSE.Algorithm?

            var testDescription: String { options.joined(separator: " ") }
        }

        private static let rows = [
            Row(options: ["--algorithm", "RS1"], kind: .tpm, algorithm: .rs256, statedAlgorithm: .rs1),
            Row(options: ["--trust", "touchstone"], kind: .packedBasic),
            Row(options: ["--trust", "touchstone", "--accept-model", model], kind: .packedBasic),
            Row(options: ["--accept-format", "packed"], kind: .packed),
            Row(options: ["--require-attestation"], kind: .packed),
            Row(options: ["--refuse-self-attestation"], kind: .packedBasic),
            Row(options: ["--attestation-rule", "u2f-zero-aaguid"], kind: .fidoU2F),
            Row(options: ["--attestation-rule", "android-trusted-environment"], kind: .androidKey),
            Row(options: ["--attestation-rule", "tpm-registered-manufacturer"], kind: .tpm),
        ]

        @Test(arguments: rows)
        func aRegistrationThatItAcceptsSucceeds(row: Row) async throws {
            let server = try touchstone.start(
                ["serve", "--port", "0", "--relying-party-id", AttestationSample.relyingPartyID] + row.options
                    + ["--origin", AttestationSample.origin])
            defer { server.terminate() }
            var port: Int?
            for await line in server.errors {
                port = line.firstMatch(of: /listening on http:\/\/[a-z0-9.]+:(\d+)/).flatMap { Int($0.output.1) }
                if port != nil { break }
            }
            let api = "http://localhost:\(try #require(port))/api/v1/auth"
            let account: JSONValue = ["username": "ada", "displayName": "Ada", "password": "a long password"]
            let signedIn = try await post(api + "/accounts", account, nil)
            let token = try #require(signedIn.json?["token"]?.text)
            let begun = try await post(api + "/passkeys/register/begin", [:], token)
            let challenge = try #require(begun.json?["challenge"]?.text.flatMap(Base64URL.decode))
            let sample = try AttestationSample(
                row.kind, algorithm: row.algorithm, statedAlgorithm: row.statedAlgorithm, challenge: challenge,
                authority: try AttestationAuthority())
            let response = RegistrationResponse(
                credentialID: sample.credentialID, authenticatorAttachment: nil,
                response: AttestationResponse(
                    clientDataJSON: sample.clientDataJSON, attestationObject: sample.object.encoded))
            let completed = try await post(
                api + "/passkeys/register/complete", try JSONValue(encoding: response), token)
            #expect((200...201).contains(completed.status), "\(completed)")
        }

        private func post(
            _ url: String, _ body: JSONValue, _ token: String?
        ) async throws -> (status: Int, json: JSONValue?, text: String) {
            var request = URLRequest(url: try #require(URL(string: url)))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            request.httpBody = Data(try body.bytes())
            let (data, answer) = try await URLSession.shared.answer(to: request)
            return (
                (answer as? HTTPURLResponse)?.statusCode ?? 0, try? JSONValue(parsing: Array(data)),
                String(decoding: data, as: UTF8.self)
            )
        }
    }
}
