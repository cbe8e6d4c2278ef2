import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

@Suite struct AuthenticationTests {
    @Test func aPasskeySignsInWithoutAUserName() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            let ada = try await site.browser(of: "ada")
            try await ada.register(&signer)
            site.advance(by: .seconds(90))
            let browser = try site.browser()
            let answer = try await browser.signIn(&signer)
            #expect(answer.status == 200)
            let result = try answer.decode(SignedInView.self)
            #expect(result.session.user.username == "ada")
            #expect(result.session.authenticatedBy == "passkey")
            #expect(result.session.isFresh)
            #expect(result.token == browser.token)
            let row = try #require(try await browser.passkeys().first)
            #expect(row.createdAt == "2026-05-28T20:26:40.000Z")
            #expect(row.lastUsedAt == "2026-05-28T20:28:10.000Z")
        }
    }

    @Test func aUserNameListsItsPasskeys() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "Ada")
            var signers = [
                try TestSigner(origin: site.origin, seed: 1), try TestSigner(origin: site.origin, seed: 2),
            ]
            for index in signers.indices { try await ada.register(&signers[index]) }
            let options = try await site.browser().beginAuthentication(["username": "ada"])
            #expect(options.allowCredentials?.map(\.id.bytes) == signers.map(\.id))
            #expect(options.rpId == "localhost")
            #expect(options.userVerification == .required)
            let usernameless = try await site.browser().beginAuthentication()
            #expect(usernameless.allowCredentials?.isEmpty == true)
            #expect(try await site.browser().signIn(&signers[1], ["username": "ada"]).status == 200)
        }
    }

    @Test func signingInReplacesTheSessionsToken() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            try await site.browser(of: "ada").register(&signer)
            let browser = try site.browser()
            let options = try await browser.beginAuthentication()
            let planted = try #require(browser.token)
            let answer = try await browser.post(
                "passkeys/authenticate/complete", try signer.authenticate(options))
            #expect(answer.status == 200)
            #expect(browser.token != planted)
            browser.token = planted
            #expect(try await browser.get("session").code == "session.required")
        }
    }

    struct Forgery: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [VerificationStep]
        let reason: ReasonLabel
        let forge: @Sendable (inout AuthenticationForm) throws -> Void

        var testDescription: String { name }

        init(
            _ name: String, _ steps: VerificationStep..., reason: ReasonLabel,
            forge: @escaping @Sendable (inout AuthenticationForm) throws -> Void
        ) {
            (self.name, self.steps, self.reason, self.forge) = (name, steps, reason, forge)
        }
    }

    static let forgeries: [Forgery] = [
        Forgery("no user handle", .userHandle, reason: .userHandleMissing) { $0.userHandle = nil },
        Forgery("another user's handle", .userHandle, reason: .userHandleMismatch) { $0.userHandle = [1, 2, 3] },
        Forgery("type of a registration", .assertionClientData, reason: .clientDataTypeMismatch) {
            $0.clientData.type = "webauthn.create"
        },
        Forgery("another challenge", .assertionClientData, reason: .challengeMismatch) {
            $0.clientData.challenge = Base64URL.encode([UInt8](repeating: 1, count: 32))
        },
        Forgery("another origin", .assertionClientData, reason: .originUnexpected) {
            $0.clientData.origin = "https://localhost"
        },
        Forgery("a cross-origin frame", .assertionClientData, reason: .crossOriginUnexpected) {
            $0.clientData.crossOrigin = true
        },
        Forgery("another RP ID", .assertionAuthenticatorData, reason: .relyingPartyIDHashMismatch) {
            $0.authenticatorData.relyingPartyIDHash[31] ^= 1
        },
        Forgery("no user presence", .assertionUserPresence, reason: .userPresentMissing) {
            $0.authenticatorData.flags.remove(.userPresent)
        },
        Forgery("no user verification", .assertionUserVerification, reason: .userVerifiedMissing) {
            $0.authenticatorData.flags.remove(.userVerified)
        },
        Forgery("BE where there was none", .assertionBackup, reason: .backupEligibilityChanged) {
            $0.authenticatorData.flags.insert(.backupEligible)
        },
        Forgery("BS without BE", .assertionBackup, reason: .backupStateWithoutEligibility) {
            $0.authenticatorData.flags.insert(.backupState)
        },
        Forgery("another key", .signature, reason: .signatureInvalid) {
            $0.key = try TestSigner(origin: "", seed: 99).key
        },
        Forgery("a byte after the signature", .signature, reason: .signatureMalformed) {
            $0.editSignature = { $0 + [0] }
        },
        Forgery("no signature", .signature, reason: .signatureMalformed) { $0.editSignature = { _ in [] } },
        Forgery("the same counter", .signatureCounter, reason: .counterNotIncreased) {
            $0.authenticatorData.signCount = 10
        },
        Forgery("a lower counter", .signatureCounter, reason: .counterNotIncreased) {
            $0.authenticatorData.signCount = 9
        },
        Forgery("a counter of zero", .signatureCounter, reason: .counterNotIncreased) {
            $0.authenticatorData.signCount = 0
        },
        Forgery("an unknown credential", .userHandle, reason: .credentialUnknown) { $0.id = [1, 2, 3] },
    ]

    @Test(arguments: forgeries)
    func aForgedAssertionIsRefusedAtItsStepAndDoesNotChangeTheRow(forgery: Forgery) async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            signer.signCount = 10
            let before = try await ada.register(&signer)
            site.advance(by: .seconds(1))
            let browser = try site.browser()
            let answer = try await browser.signIn(&signer, forge: forgery.forge)
            #expect(answer.status == 401)
            #expect(answer.code == "authentication.refused")
            #expect(answer.failedSteps == forgery.steps)
            #expect(answer.reasons.contains(forgery.reason))
            #expect(try await ada.passkeys() == [before])
            #expect(try await browser.get("session").status == 401)
        }
    }

    @Test func anotherUsersPasskeyDoesNotSignInForAName() async throws {
        try await Site.run { site in
            var ada = try TestSigner(origin: site.origin, seed: 1)
            var bob = try TestSigner(origin: site.origin, seed: 2)
            try await site.browser(of: "ada").register(&ada)
            try await site.browser(of: "bob").register(&bob)
            let answer = try await site.browser().signIn(&bob, ["username": "ada"])
            #expect(answer.status == 401)
            #expect(answer.failedSteps == [.allowedCredential, .knownUser])
            #expect(answer.reasons.contains(.credentialOtherUser))
        }
    }

    @Test func aRegistrationSentToSignInIsRefusedAtTheFirstStep() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            let response = signer.register(try await ada.beginRegistration())
            _ = try await ada.beginAuthentication()
            let answer = try await ada.post("passkeys/authenticate/complete", response)
            #expect(answer.status == 401)
            #expect(answer.failedSteps == [.allowedCredential])
            #expect(answer.reasons == [.responseWrongCeremony])
        }
    }

    @Test func theReceivedCounterAndBackupStateAreStored() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            signer.flags = [.userPresent, .userVerified, .backupEligible]
            signer.signCount = 5
            try await ada.register(&signer)
            signer.signCount = 99
            signer.flags.insert(.backupState)
            #expect(try await ada.signIn(&signer).status == 200)
            let row = try #require(try await ada.passkeys().first)
            #expect(row.signCount == 100)
            #expect(row.backupState)
            // For a credential with a counter, a second device without the counter looks like a clone.
            signer.signCount = 0
            #expect(try await ada.signIn(&signer).failedSteps == [.signatureCounter])
        }
    }

    @Test func aCredentialWithoutACounterSignsInAgainAndAgain() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            signer.flags = [.userPresent, .userVerified, .backupEligible, .backupState]
            try await site.browser(of: "ada").register(&signer)
            for _ in 0..<3 { #expect(try await site.browser().signIn(&signer).status == 200) }
        }
    }

    @Test func onlyOneOfTwoAssertionsWithTheSameCounterIsAccepted() async throws {
        try await Site.runOnFile { site in
            var signer = try TestSigner(origin: site.origin)
            signer.signCount = 10
            try await site.browser(of: "ada").register(&signer)
            signer.signCount = 11
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<4 {
                    let browser = try site.browser()
                    let response = try signer.authenticate(try await browser.beginAuthentication())
                    group.addTask { try await browser.post("passkeys/authenticate/complete", response) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [200, 401, 401, 401])
            #expect(answers.filter { $0.status == 401 }.allSatisfy { $0.failedSteps == [.signatureCounter] })
        }
    }

    @Test func thePolicyMayFlagACounterInsteadOfRefusing() async throws {
        try await Site.run(configure: { $0.counterPolicy = .flag }) { site in
            var signer = try TestSigner(origin: site.origin)
            signer.signCount = 10
            try await site.browser(of: "ada").register(&signer)
            let answer = try await site.browser().signIn(&signer) { $0.authenticatorData.signCount = 3 }
            #expect(answer.status == 200)
            let event = try #require(site.events.last)
            #expect(event.ledger[.signatureCounter]?.reasons.map(\.label) == [.counterNotIncreased])
        }
    }

    @Test func theObserverSeesTheLedgerAndTheAnswer() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            _ = try await ada.signIn(&signer) { $0.authenticatorData.flags.remove(.userVerified) }
            try await ada.reauthenticate(&signer)
            let events = site.events
            #expect(events.map(\.ceremony) == [.registration, .signIn, .reauthentication])
            #expect(events.map(\.status) == [201, 401, 200])
            #expect(events.map(\.errorCode) == [nil, "authentication.refused", nil])
            #expect(events.map(\.ledger.isAccepted) == [true, false, true])
            #expect(events.allSatisfy { $0.username == "ada" && $0.credentialID == signer.id })
            #expect(events.dropFirst().first?.ledger.firstFailure?.step == .assertionUserVerification)
        }
    }
}
