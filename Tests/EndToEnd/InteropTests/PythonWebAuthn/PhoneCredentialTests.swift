import Foundation
import SimulatedPhone
import TestSupport
import Testing
import WebAuthn

extension Interop {
    /// What an app gets from a simulated phone, before PyPI's `webauthn` and python-fido2's server.
    @Suite struct PhoneCredentialTests {
        private let site = SimulatedRelyingParty("example.com")

        /// The sentences of the relying parties that refuse a response, case by case.
        private func refusals(_ cases: [Case], verification: String = "required") async throws -> [[String]] {
            let requested = Requested(
                rpID: site.id, origin: site.origins[0], verification: verification, cases: cases)
            let script = try String(
                contentsOf: Script.directory.appending(path: "phone_credentials.py"), encoding: .utf8)
            let output = try await Python.run(
                script: script, standardInput: String(decoding: try JSONEncoder().encode(requested), as: UTF8.self))
            return try JSONDecoder().decode([[String]].self, from: Data(output.standardOutput.utf8))
        }

        private func perform(
            _ request: SimulatedASAuthorizationRequest, on phone: Phone
        ) async throws -> any SimulatedASAuthorizationCredential {
            try await SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone).perform()
                .credential
        }

        private func passkey(on phone: Phone) async throws -> Case {
            let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(
                relyingPartyIdentifier: site.id)
            let (first, second, user) = (site.challenge(), site.challenge(), site.userID(of: "alice"))
            return try await Case(
                user: user,
                perform(
                    provider.createCredentialRegistrationRequest(challenge: first, name: "alice", userID: user),
                    on: phone), to: first,
                perform(provider.createCredentialAssertionRequest(challenge: second), on: phone), to: second)
        }

        private func securityKey(
            on phone: Phone, attestation: ASAuthorizationPublicKeyCredentialAttestationKind
        ) async throws -> Case {
            let provider = SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider(
                relyingPartyIdentifier: site.id)
            let (first, second, user) = (site.challenge(), site.challenge(), site.userID(of: "alice"))
            let registration = provider.createCredentialRegistrationRequest(
                challenge: first, displayName: "Alice", name: "alice", userID: user)
            registration.credentialParameters = [.init(algorithm: .ES256)]
            registration.attestationPreference = attestation
            registration.residentKeyPreference = .required
            return try await Case(
                user: user, perform(registration, on: phone), to: first,
                perform(provider.createCredentialAssertionRequest(challenge: second), on: phone), to: second)
        }

        @Test func passkeysAreVerified() async throws {
            var cases: [Case] = []
            for profile in ["iphone-face-id", "iphone-touch-id", "iphone-face-id-older", "macbook-touch-id"] {
                cases.append(try await passkey(on: try Phone(profile)))
            }
            #expect(try await refusals(cases) == Array(repeating: [], count: cases.count))
        }

        @Test func securityKeysAreVerified() async throws {
            let phone = try Phone("iphone-face-id")
            var cases: [Case] = []
            for attestation in [ASAuthorizationPublicKeyCredentialAttestationKind.none, .direct] {
                let key = try phone.plugIn("yubikey-5-nfc-5.7")
                try key.setPIN("123456")
                cases.append(try await securityKey(on: phone, attestation: attestation))
            }
            #expect(try await refusals(cases) == [[], []])
        }

        @Test func changedResponsesAreRefused() async throws {
            let sound = try await passkey(on: try Phone("iphone-face-id"))
            var otherChallenge = sound
            otherChallenge.registration.challenge = Base64URL.encode([UInt8](site.challenge()))
            var otherSignature = sound
            otherSignature.assertion = try await passkey(on: try Phone("iphone-face-id")).assertion
            otherSignature.assertion.challenge = sound.assertion.challenge
            let found = try await refusals([otherChallenge, otherSignature])
            #expect(found.map(\.count) == [2, 2], "\(found)")
        }
    }
}

private struct Requested: Encodable {
    let rpID: String
    let origin: String
    let verification: String
    let cases: [Case]
}

/// A registration and the sign-in after it.
private struct Case: Encodable {
    struct Response: Encodable {
        var challenge: String
        let id: String
        let members: [String: String]
    }

    let user: String
    var registration: Response
    var assertion: Response

    init(
        user: Data, _ registration: any SimulatedASAuthorizationCredential, to first: Data,
        _ assertion: any SimulatedASAuthorizationCredential, to second: Data
    ) throws {
        func text(_ data: Data?) -> String { Base64URL.encode([UInt8](data ?? Data())) }
        let made = try #require(registration as? any SimulatedASAuthorizationPublicKeyCredentialRegistration)
        let signed = try #require(assertion as? any SimulatedASAuthorizationPublicKeyCredentialAssertion)
        self.user = text(user)
        self.registration = Response(
            challenge: text(first), id: text(made.credentialID),
            members: [
                "clientDataJSON": text(made.rawClientDataJSON), "attestationObject": text(made.rawAttestationObject),
            ])
        self.assertion = Response(
            challenge: text(second), id: text(signed.credentialID),
            members: [
                "clientDataJSON": text(signed.rawClientDataJSON),
                "authenticatorData": text(signed.rawAuthenticatorData), "signature": text(signed.signature),
                "userHandle": text(signed.userID),
            ])
    }
}
