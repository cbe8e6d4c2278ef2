import CBOR
import COSE
import Foundation
import GRDB
import RelyingParty
import RelyingPartyServer
import TestSupport
import Testing
import WebAuthn

@Suite struct RegistrationTests {
    @Test func optionsNameTheAccountAndItsPasskeys() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            let first = try await browser.beginRegistration()
            #expect(first.rp == RelyingPartyEntity(id: "localhost", name: "Touchstone"))
            #expect(first.user.name == "ada")
            #expect(first.user.displayName == "Ada")
            #expect(first.user.id.bytes.count == 32)
            #expect(first.challenge.bytes.count == 32)
            #expect(first.timeout == 300_000)
            #expect(first.pubKeyCredParams.map(\.alg) == [-7, -8, -35, -36, -257])
            #expect(first.excludeCredentials?.isEmpty == true)
            #expect(first.authenticatorSelection?.userVerification == .required)
            #expect(first.authenticatorSelection?.residentKey == .required)
            #expect(first.attestation == AttestationConveyancePreference.none)
            try await browser.register(&signer)
            let second = try await browser.beginRegistration()
            #expect(second.excludeCredentials == [CredentialDescriptor(id: signer.id, transports: [.internal])])
            #expect(second.user == first.user)
            #expect(second.challenge != first.challenge)
        }
    }

    @Test func aRequestMayRequireMoreVerificationButNotLess() async throws {
        try await Site.run(configure: { $0.userVerification.registration = .preferred }) { site in
            let browser = try await site.browser(of: "ada")
            func asked(_ requirement: String) async throws -> UserVerificationRequirement? {
                try await browser.beginRegistration(["userVerification": requirement]).authenticatorSelection?
                    .userVerification
            }
            #expect(try await asked("required") == .required)
            #expect(try await asked("discouraged") == .preferred)
        }
    }

    @Test func anAcceptedRegistrationIsStoredAsReceived() async throws {
        try await Site.runOnFile { site in
            let browser = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            signer.flags = [.userPresent, .userVerified, .backupEligible, .backupState]
            signer.signCount = 41
            signer.transports = [.hybrid, .internal]
            let response = signer.register(try await browser.beginRegistration())
            let answer = try await browser.post("passkeys/register/complete", response)
            #expect(answer.status == 201)
            let expected = PasskeyView(
                credentialId: Base64URLBytes(signer.id), aaguid: TestSigner.aaguid, deviceName: "Command line",
                createdAt: "2026-05-28T20:26:40.000Z", lastUsedAt: nil, transports: [.hybrid, .internal],
                attachment: "platform", backupEligible: true, backupState: true, signCount: 41)
            #expect(try answer.decode(PasskeyView.self) == expected)
            #expect(try await browser.passkeys() == [expected])
            let row = try #require(try site.rows("SELECT * FROM passkey_credentials").first)
            #expect(row["public_key"] == Data(signer.key.publicKey.encoded))
            #expect(row["client_data_json"] == Data(response.response.clientDataJSON.bytes))
            #expect(row["attestation_object"] == Data(response.response.attestationObject.bytes))
            #expect(row["uv_initialized"] as Int == 1)
            #expect(row["attestation_format"] as String == "none")
        }
    }

    @Test(arguments: [COSE.Algorithm.edDSA, .es384, .es512])
    func everyOfferedAlgorithmRegistersAndSignsIn(algorithm: COSE.Algorithm) async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin, algorithm: algorithm)
            try await browser.register(&signer)
            #expect(try await site.browser().signIn(&signer).status == 200)
        }
    }

    struct Forgery: Sendable, CustomTestStringConvertible {
        let name: String
        let step: VerificationStep
        let reason: ReasonLabel
        let forge: @Sendable (inout RegistrationForm) -> Void

        var testDescription: String { name }

        init(
            _ name: String, _ step: VerificationStep, _ reason: ReasonLabel,
            _ forge: @escaping @Sendable (inout RegistrationForm) -> Void
        ) {
            (self.name, self.step, self.reason, self.forge) = (name, step, reason, forge)
        }
    }

    static let forgeries: [Forgery] = [
        Forgery("id is not rawId", .registrationResponse, .credentialIDMismatch) { $0.statedID = "AAAA" },
        Forgery("type of a sign-in", .clientDataType, .clientDataTypeMismatch) { $0.clientData.type = "webauthn.get" },
        Forgery("another challenge", .challenge, .challengeMismatch) {
            $0.clientData.challenge = Base64URL.encode([UInt8](repeating: 1, count: 32))
        },
        Forgery("a padded challenge", .challenge, .challengeMismatch) { $0.clientData.challenge += "=" },
        Forgery("an empty challenge", .challenge, .challengeMismatch) { $0.clientData.challenge = "" },
        Forgery("another scheme", .origin, .originUnexpected) {
            $0.clientData.origin = $0.clientData.origin.replacing("http:", with: "https:")
        },
        Forgery("another port", .origin, .originUnexpected) { $0.clientData.origin = "http://localhost:1" },
        Forgery("a suffix look-alike", .origin, .originUnexpected) { $0.clientData.origin += ".evil.example" },
        Forgery("a trailing slash", .origin, .originUnexpected) { $0.clientData.origin += "/" },
        Forgery("a cross-origin frame", .crossOrigin, .crossOriginUnexpected) { $0.clientData.crossOrigin = true },
        Forgery("a top-level origin", .topOrigin, .topOriginUnexpected) {
            $0.clientData.topOrigin = "https://evil.example"
        },
        Forgery("bytes after the object", .attestationObject, "attestationObject.trailingBytes") { $0.trailing = [0] },
        Forgery("another RP ID", .relyingPartyIDHash, .relyingPartyIDHashMismatch) {
            $0.authenticatorData.relyingPartyIDHash[0] ^= 1
        },
        Forgery("no user presence", .userPresence, .userPresentMissing) {
            $0.authenticatorData.flags.remove(.userPresent)
        },
        Forgery("no user verification", .userVerification, .userVerifiedMissing) {
            $0.authenticatorData.flags.remove(.userVerified)
        },
        Forgery("BS without BE", .backupConsistency, .backupStateWithoutEligibility) {
            $0.authenticatorData.flags.insert(.backupState)
        },
        Forgery("no attested data", .attestedCredentialData, .attestedDataMissing) {
            $0.authenticatorData.flags.remove(.attestedCredentialData)
        },
        Forgery("an algorithm not offered", .credentialKey, .algorithmNotOffered) {
            guard let key = try? COSE.PrivateKey(algorithm: .esp256, rawRepresentation: .init(repeating: 1, count: 32))
            else { return }
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = key.publicKey.cbor
        },
        Forgery("an unknown format", .attestationStatement, .attestationFormatUnsupported) { $0.format = "None" },
        Forgery("a statement under none", .attestationStatement, .attestationNoneNotEmpty) {
            $0.statement = .map(["a": .integer(1)])
        },
        Forgery("a very long ID", .credentialIDLength, .credentialIDTooLong) {
            $0.authenticatorData.attestedCredentialData?.credentialID = .init(repeating: 1, count: 1024)
        },
        Forgery("not discoverable", .extensionOutputs, .credentialNotDiscoverable) { $0.discoverable = false },
    ]

    @Test(arguments: forgeries)
    func aForgedRegistrationIsRefusedAtItsStepAndLeavesNoRow(forgery: Forgery) async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            let response = signer.register(try await browser.beginRegistration()) { forgery.forge(&$0) }
            let answer = try await browser.post("passkeys/register/complete", response)
            #expect(answer.status == 422)
            #expect(answer.code == "registration.refused")
            #expect(answer.failedSteps == [forgery.step])
            #expect(answer.reasons.contains(forgery.reason))
            #expect(answer.error?.message.contains(forgery.step.rawValue) == true)
            #expect(try await browser.passkeys().isEmpty)
        }
    }

    @Test func anAssertionSentToRegisterIsRefusedAtTheFirstStep() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            try await browser.register(&signer)
            let options = try await browser.beginAuthentication()
            let answer = try await browser.post(
                "passkeys/register/complete", try signer.authenticate(options))
            #expect(answer.status == 422)
            #expect(answer.failedSteps == [.registrationResponse])
            #expect(answer.reasons == [.responseWrongCeremony])
        }
    }

    @Test func aCredentialBelongsToOneAccountOnly() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            let bob = try await site.browser(of: "bob")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            for (browser, reason) in [
                (ada, ReasonLabel.credentialIDRegisteredToUser), (bob, .credentialIDRegisteredToOther),
            ] {
                var copy = signer
                let response = copy.register(try await browser.beginRegistration())
                let answer = try await browser.post("passkeys/register/complete", response)
                #expect(answer.status == 422)
                #expect(answer.failedSteps == [.credentialIDUniqueness])
                #expect(answer.reasons == [reason])
            }
            #expect(try await ada.passkeys().count == 1)
            #expect(try await bob.passkeys().isEmpty)
        }
    }

    @Test func oneOfTwoConcurrentRegistrationsOfACredentialIsStored() async throws {
        try await Site.runOnFile { site in
            let browsers = [try await site.browser(of: "ada"), try await site.browser(of: "bob")]
            let signer = try TestSigner(origin: site.origin)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for browser in browsers {
                    var copy = signer
                    let response = copy.register(try await browser.beginRegistration())
                    group.addTask { try await browser.post("passkeys/register/complete", response).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 422])
            #expect(try site.rows("SELECT * FROM passkey_credentials").count == 1)
        }
    }

    @Test func theBodyOrTheUserAgentNamesTheDevice() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            var phone = try TestSigner(origin: site.origin, seed: 1)
            let fromPhone = try await browser.send(
                "POST", "/api/v1/auth/passkeys/register/complete",
                try json(phone.register(try await browser.beginRegistration())),
                fields: ["User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)"])
            #expect(try fromPhone.decode(PasskeyView.self).deviceName == "iPhone")
            var key = try TestSigner(origin: site.origin, seed: 2)
            let named = try await browser.send(
                "POST", "/api/v1/auth/passkeys/register/complete",
                try json(key.register(try await browser.beginRegistration()), adding: ["deviceName": "Blue key"]))
            #expect(try named.decode(PasskeyView.self).deviceName == "Blue key")
            let nameless = try await browser.send(
                "POST", "/api/v1/auth/passkeys/register/complete",
                try json(key.register(try await browser.beginRegistration()), adding: ["deviceName": " "]))
            #expect(nameless.status == 400)
            #expect(nameless.code == "deviceName.invalid")
        }
    }

    @Test func onlyPlatformAuthenticatorsRegisterWithoutRoaming() async throws {
        try await Site.run(configure: { $0.roamingAllowed = false }) { site in
            let browser = try await site.browser(of: "ada")
            let refused = try await browser.post(
                "passkeys/register/begin", ["authenticatorAttachment": "cross-platform"])
            #expect(refused.status == 403)
            #expect(refused.code == "attachment.notAllowed")
            #expect(try await browser.beginRegistration().authenticatorSelection?.authenticatorAttachment == .platform)
            let roaming: [(AuthenticatorAttachment?, [AuthenticatorTransport])] = [
                (.crossPlatform, [.internal]), (nil, [.usb]),
            ]
            for (attachment, transports) in roaming {
                var key = try TestSigner(origin: site.origin)
                (key.attachment, key.transports) = (attachment, transports)
                let answer = try await browser.post(
                    "passkeys/register/complete", key.register(try await browser.beginRegistration()))
                #expect(answer.status == 403)
                #expect(answer.code == "attachment.notAllowed")
            }
            #expect(try await browser.passkeys().isEmpty)
            var phone = try TestSigner(origin: site.origin)
            try await browser.register(&phone)
        }
    }

    @Test func anAuthenticatorOfAnotherKindThanRequestedIsRefused() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            var phone = try TestSigner(origin: site.origin)
            let options = try await browser.beginRegistration(["authenticatorAttachment": "cross-platform"])
            let answer = try await browser.post("passkeys/register/complete", phone.register(options))
            #expect(answer.code == "attachment.notAllowed")
            #expect(try await browser.passkeys().isEmpty)
        }
    }

    @Test func registeringNeedsAnAccount() async throws {
        try await Site.run { site in
            let stranger = try site.browser()
            for path in ["passkeys/register/begin", "passkeys"] {
                let answer = try await path == "passkeys" ? stranger.get(path) : stranger.post(path)
                #expect(answer.status == 401)
                #expect(answer.code == "session.required")
            }
        }
    }
}
