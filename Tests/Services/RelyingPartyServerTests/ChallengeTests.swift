import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

@Suite struct ChallengeTests {
    @Test func aChallengeIsAnsweredOnce() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            let registration = signer.register(try await ada.beginRegistration())
            #expect(try await ada.post("passkeys/register/complete", registration).status == 201)
            let again = try await ada.post("passkeys/register/complete", registration)
            #expect(again.failedSteps == [.challenge, .credentialIDUniqueness])
            #expect(again.reasons.contains(.challengeUsed))

            let assertion = try signer.authenticate(try await ada.beginAuthentication())
            #expect(try await ada.post("passkeys/authenticate/complete", assertion).status == 200)
            let replay = try await ada.post("passkeys/authenticate/complete", assertion)
            #expect(replay.status == 401)
            #expect(replay.failedSteps == [.assertionClientData])
            #expect(replay.reasons == [.challengeUsed])
        }
    }

    @Test func aRefusedAnswerUsesUpTheChallenge() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            let options = try await ada.beginAuthentication()
            let forged = try signer.authenticate(options) { $0.editSignature = { _ in [1] } }
            #expect(try await ada.post("passkeys/authenticate/complete", forged).failedSteps == [.signature])
            let honest = try await ada.post("passkeys/authenticate/complete", try signer.authenticate(options))
            #expect(honest.reasons == [.challengeUsed])
        }
    }

    @Test(arguments: [(299, true), (300, false), (100_000, false)])
    func aChallengeLastsFiveMinutes(seconds: Int, isAccepted: Bool) async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            let registration = signer.register(try await ada.beginRegistration())
            let assertionOptions = try await ada.beginAuthentication()
            site.advance(by: .seconds(seconds))
            let answer = try await ada.post("passkeys/register/complete", registration)
            guard seconds < 86_400 else {
                #expect(answer.code == "session.required")
                return
            }
            #expect(answer.status == (isAccepted ? 201 : 422))
            #expect(answer.reasons == (isAccepted ? [] : [.challengeExpired]))
            let assertion = try await ada.post(
                "passkeys/authenticate/complete", try signer.authenticate(assertionOptions))
            #expect(assertion.reasons.contains(.challengeExpired) == !isAccepted)
        }
    }

    @Test func anAnonymousSessionsChallengeExpiresWithTheSession() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            try await site.browser(of: "ada").register(&signer)
            let browser = try site.browser()
            let assertion = try signer.authenticate(try await browser.beginAuthentication())
            site.advance(by: .seconds(300))
            let answer = try await browser.post("passkeys/authenticate/complete", assertion)
            #expect(answer.status == 401)
            #expect(answer.failedSteps == [.assertionClientData])
        }
    }

    @Test func anotherSessionsChallengeIsNotAccepted() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            try await site.browser(of: "ada").register(&signer)
            let victim = try site.browser()
            let options = try await victim.beginAuthentication()
            let assertion = try signer.authenticate(options)
            // A session with its own pending challenge, a session without one, and no session.
            let pending = try site.browser()
            _ = try await pending.beginAuthentication()
            for thief in [pending, try await site.browser(of: "eve"), try site.browser()] {
                let answer = try await thief.post("passkeys/authenticate/complete", assertion)
                #expect(answer.status == 401)
                #expect(answer.failedSteps == [.assertionClientData])
                #expect(answer.reasons.contains(.challengeOtherSession))
            }
            #expect(try await victim.post("passkeys/authenticate/complete", assertion).status == 200)
        }
    }

    @Test func anUnknownChallengeIsNotAccepted() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            let ada = try await site.browser(of: "ada")
            try await ada.register(&signer)
            let options = RequestOptions(challenge: .init(repeating: 9, count: 32), rpId: "localhost")
            let answer = try await ada.post("passkeys/authenticate/complete", try signer.authenticate(options))
            #expect(answer.failedSteps == [.assertionClientData])
            #expect(answer.reasons == [.challengeUnknown, .challengeMismatch])
        }
    }

    @Test func aConditionalRequestStaysOpenBesideAModalOne() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            let ada = try await site.browser(of: "ada")
            try await ada.register(&signer)
            let conditional = try await ada.beginAuthentication()
            let modal = try await ada.beginAuthentication()
            for options in [modal, conditional] {
                let response = try signer.authenticate(options)
                #expect(try await ada.post("passkeys/authenticate/complete", response).status == 200)
                let replay = try await ada.post("passkeys/authenticate/complete", response)
                #expect(replay.reasons == [.challengeUsed])
            }
        }
    }

    @Test func anAnswerSpendsOnlyTheChallengeThatItStates() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            let ada = try await site.browser(of: "ada")
            try await ada.register(&signer)
            let options = try await ada.beginAuthentication()
            let stray = try signer.authenticate(options) { $0.clientData.challenge = "AAAA" }
            let refused = try await ada.post("passkeys/authenticate/complete", stray)
            #expect(refused.reasons == [.challengeMismatch])
            let honest = try signer.authenticate(options)
            #expect(try await ada.post("passkeys/authenticate/complete", honest).status == 200)
        }
    }

    @Test func aSessionKeepsItsTwentyLatestChallenges() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            let ada = try await site.browser(of: "ada")
            try await ada.register(&signer)
            var issued: [RequestOptions] = []
            for _ in 0...20 { issued.append(try await ada.beginAuthentication()) }
            let oldest = try await ada.post("passkeys/authenticate/complete", try signer.authenticate(issued[0]))
            #expect(oldest.reasons == [.challengeMismatch])
            let next = try await ada.post("passkeys/authenticate/complete", try signer.authenticate(issued[1]))
            #expect(next.status == 200)
        }
    }

    @Test func aRegistrationsChallengeIsRefusedAtSignIn() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            let ada = try await site.browser(of: "ada")
            try await ada.register(&signer)
            let creation = try await ada.beginRegistration()
            let options = RequestOptions(challenge: creation.challenge.bytes, rpId: "localhost")
            let answer = try await ada.post("passkeys/authenticate/complete", try signer.authenticate(options))
            #expect(answer.failedSteps == [.assertionClientData])
        }
    }

    @Test func aRegistrationBelongsToTheAccountThatBeganIt() async throws {
        try await Site.run { site in
            let browser = try await site.browser(of: "ada")
            _ = try await site.browser(of: "bob", password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            let response = signer.register(try await browser.beginRegistration())
            let swap = try await browser.post(
                "password/sign-in", ["username": "bob", "password": "correct horse"])
            #expect(swap.status == 200)
            let answer = try await browser.post("passkeys/register/complete", response)
            #expect(answer.status == 422)
            #expect(answer.failedSteps == [.challenge, .account])
            #expect(answer.reasons == [.challengeOtherUser, .accountSwapped])
            #expect(try await browser.passkeys().isEmpty)
        }
    }

    @Test func twoConcurrentAnswersSucceedOnce() async throws {
        try await Site.runOnFile { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            let assertion = try signer.authenticate(
                try await ada.beginAuthentication(["purpose": "reauthenticate"]))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await ada.post("passkeys/authenticate/complete", assertion).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 401, 401, 401])
        }
    }
}
