internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

/// The cases of challenges and the sessions that they belong to (WebAuthn L3 §7.1 step 8, §7.2 step 11, §13.4.3).
enum ChallengeCases {
    static let all: [Case] = registrations + signIns + lifetimes

    private static func challenge(
        _ id: String, _ title: String, _ ceremony: TestedCeremony, level: Level = .must, needs: [RelyingPartyNeed] = [],
        _ perform: @escaping @Sendable (RelyingPartyBench, CaseRecorder) async throws -> Void
    ) -> Case {
        Case(
            "challenge.\(ceremony.rawValue).\(id)", title, SharedStep.challenge.clause(ceremony), level: level,
            needs: needs, effects: [.makesAccount]
        ) { bench, recorder in
            switch ceremony {
            case .registration: try await bench.requireControl(RegistrationForm())
            case .assertion: try await bench.requireSignIn(PasskeyForm())
            }
            try await perform(bench, recorder)
        }
    }

    private static let registrations: [Case] = [
        challenge("replay", "A registration that was accepted is refused when it is sent again.", .registration) {
            bench, recorder in
            let begun = try await bench.requireRegistration()
            let response = try await bench.forge(RegistrationForm(), begun).response()
            let first = try await bench.complete(begun, response)
            try recorder.require(first.isAccepted, "an accepted registration", seen: first.line)
            bench.judge(try await bench.complete(begun, response), .refused, recorder)
        },
        challenge(
            "reuse", "A second credential with the challenge of an accepted registration is refused.", .registration
        ) { bench, recorder in
            // A full account would refuse the second credential for its number.
            try await bench.changeAccount()
            let begun = try await bench.requireRegistration()
            let first = try await bench.complete(begun, try await bench.forge(RegistrationForm(), begun).response())
            try recorder.require(first.isAccepted, "an accepted registration", seen: first.line)
            let second = try await bench.forge(RegistrationForm(), begun).response()
            bench.judge(try await bench.complete(begun, second), .refused, recorder)
        },
        challenge(
            "replay.later", "A registration that was accepted is refused when it is sent after new options.",
            .registration
        ) { bench, recorder in
            let begun = try await bench.requireRegistration()
            let response = try await bench.forge(RegistrationForm(), begun).response()
            let first = try await bench.complete(begun, response)
            try recorder.require(first.isAccepted, "an accepted registration", seen: first.line)
            let next = try await bench.requireRegistration()
            bench.judge(try await bench.complete(next, response), .refused, recorder)
        },
        challenge(
            "reuse.later",
            "A second credential with the challenge of an accepted registration is refused after new options.",
            .registration
        ) { bench, recorder in
            try await bench.changeAccount()
            let begun = try await bench.requireRegistration()
            let first = try await bench.complete(begun, try await bench.forge(RegistrationForm(), begun).response())
            try recorder.require(first.isAccepted, "an accepted registration", seen: first.line)
            let second = try await bench.forge(RegistrationForm(), begun).response()
            let next = try await bench.requireRegistration()
            bench.judge(try await bench.complete(next, second), .refused, recorder)
        },
        challenge(
            "otherAccount", "A registration is refused in the session of another account.", .registration,
            needs: [.accounts]
        ) { bench, recorder in
            let begun = try await bench.requireRegistration()
            let other = try await bench.newRegistrant()
            guard let theirs = try await bench.beginRegistration(PartyRequirements(), at: other) else {
                throw recorder.fail("creation options", seen: await bench.lastRefusal)
            }
            let response = try await bench.forge(RegistrationForm(), begun).response()
            bench.judge(try await bench.complete(theirs, response), .refused, recorder)
        },
        challenge(
            "ofAssertion", "A registration with the challenge of a sign-in is refused.", .registration
        ) { bench, recorder in
            let (signIn, _) = try await bench.requireBegun()
            let begun = try await bench.requireRegistration()
            var registration = try await bench.forge(RegistrationForm(), begun)
            registration.clientData.set("challenge", signIn.options["challenge"]?.text ?? "")
            bench.judge(try await bench.complete(begun, try registration.response()), .refused, recorder)
        },
        challenge(
            "refusedNotStored", "A credential whose registration was refused cannot sign in.", .registration
        ) { bench, recorder in
            // Another account's user handle would be a second reason to refuse.
            try await bench.changeAccount()
            let passkey = try await bench.newPasskey(RegistrationForm())
            let (reply, registration) = try await bench.registration(RegistrationForm()) {
                $0.clientData.set("origin", "https://other.example")
            }
            guard !reply.isAccepted else {
                throw CaseStop.notRun("another origin is not refused, so that the registration is stored")
            }
            let stranger = ForgedPasskey(
                account: passkey.account, id: registration.credentialID, key: registration.key,
                userHandle: passkey.userHandle, flags: passkey.flags, counter: 2)
            bench.judge(try await bench.assertion(stranger), .refused, recorder)
        },
    ]

    private static let signIns: [Case] = [
        challenge("replay", "An assertion that was accepted is refused when it is sent again.", .assertion) {
            bench, recorder in
            let (begun, response) = try await accepted(bench, recorder)
            let reply = try await bench.complete(bench.party.signIn, response, in: begun.session)
            try await requireJudgement(bench, reply, response, in: begun.session)
            bench.judge(reply, .refused, recorder)
        },
        challenge(
            "replay.later", "An assertion that was accepted is refused when it is sent after new options.", .assertion
        ) { bench, recorder in
            let (begun, response) = try await accepted(bench, recorder)
            let requirements = PartyRequirements(account: begun.account)
            // A site may redirect a user who is signed in, in place of options.
            let next = try? await bench.beginSignIn(begun.account, requirements, in: begun.session)
            guard next != nil else { throw CaseStop.notRun("no sign-in begins in a session that is signed in") }
            let reply = try await bench.complete(bench.party.signIn, response, in: begun.session)
            try await requireJudgement(bench, reply, response, in: begun.session)
            bench.judge(reply, .refused, recorder)
        },
        challenge(
            "replay.otherSession", "An assertion that was accepted is refused in another session.", .assertion
        ) { bench, recorder in
            let (begun, response) = try await accepted(bench, recorder)
            // The credential is one of the account that the other session asks for.
            let session = await bench.newSession(begun.account)
            let requirements = PartyRequirements(account: begun.account)
            guard try await bench.beginSignIn(begun.account, requirements, in: session) != nil else {
                throw recorder.fail("request options", seen: await bench.lastRefusal)
            }
            bench.judge(try await bench.complete(bench.party.signIn, response, in: session), .refused, recorder)
        },
        challenge(
            "otherSession", "An assertion is refused in a session that its challenge was not issued to.", .assertion
        ) { bench, recorder in
            let (begun, passkey) = try await bench.requireBegun()
            let (other, _) = try await bench.requireBegun()
            let response = try bench.assertion(begun, passkey) { _ in }
            bench.judge(try await bench.complete(bench.party.signIn, response, in: other.session), .refused, recorder)
        },
        challenge(
            "withoutBegin", "An assertion is refused in a session that began no sign-in.", .assertion
        ) { bench, recorder in
            let (begun, passkey) = try await bench.requireBegun()
            let response = try bench.assertion(begun, passkey) { _ in }
            let session = await bench.newSession(begun.account)
            bench.judge(try await bench.complete(bench.party.signIn, response, in: session), .refused, recorder)
        },
        challenge(
            "ofRegistration", "An assertion with the challenge of a registration is refused.", .assertion
        ) { bench, recorder in
            let creation = try await bench.requireRegistration()
            let (begun, passkey) = try await bench.requireBegun()
            let text = creation.options["challenge"]?.text ?? ""
            let reply = try await bench.complete(begun, passkey) { $0.clientData.set("challenge", text) }
            bench.judge(reply, .refused, recorder)
        },
        challenge(
            "registrationSession", "An assertion for the challenge of a registration is refused in its session.",
            .assertion
        ) { bench, recorder in
            let creation = try await bench.requireRegistration()
            let (begun, passkey) = try await bench.requireBegun()
            let text = creation.options["challenge"]?.text ?? ""
            let response = try bench.assertion(begun, passkey) { $0.clientData.set("challenge", text) }
            bench.judge(
                try await bench.complete(bench.party.signIn, response, in: creation.session), .refused, recorder)
        },
        challenge(
            "conveyedBack", "An assertion whose response brings its own challenge beside client data is refused.",
            .assertion
        ) { bench, recorder in
            let (begun, passkey) = try await bench.requireBegun()
            let own = Base64URL.encode([UInt8](repeating: 0x77, count: 32))
            let reply = try await bench.complete(begun, passkey) {
                $0.clientData.set("challenge", own)
                $0.changeResponse = {
                    $0.set("challenge", to: .text(own))
                    $0.set("expectedChallenge", to: .text(own))
                    $0.set("response", "challenge", to: .text(own))
                }
            }
            bench.judge(reply, .refused, recorder)
        },
    ]

    /// Ends the case where the relying party lets everything pass in a session that is signed in.
    private static func requireJudgement(
        _ bench: RelyingPartyBench, _ reply: CeremonyReply, _ response: JSONValue, in session: PartySession
    ) async throws {
        guard reply.isAccepted else { return }
        var wrong = response
        wrong.set("response", "signature", to: "AAAA")
        let other = try await bench.complete(bench.party.signIn, wrong, in: session)
        guard !other.isAccepted else {
            throw CaseStop.notRun("a session that is signed in answers every response alike: \(other.line)")
        }
    }

    /// A sign-in that was accepted, and its response.
    private static func accepted(
        _ bench: RelyingPartyBench, _ recorder: CaseRecorder
    ) async throws -> (BegunCeremony, JSONValue) {
        // A counter that stays 0 leaves the challenge as the only reason to refuse.
        var passkey = try await bench.newPasskey(RegistrationForm()) { $0.authenticatorData.counter = 0 }
        passkey.counter = 0
        let requirements = PartyRequirements(account: passkey.account)
        guard let begun = try await bench.beginSignIn(passkey.account, requirements) else {
            throw recorder.fail("request options", seen: await bench.lastRefusal)
        }
        let response = try bench.assertion(begun, passkey) { _ in }
        let reply = try await bench.complete(bench.party.signIn, response, in: begun.session)
        try recorder.require(reply.isAccepted, "an accepted assertion", seen: reply.line)
        return (begun, response)
    }

    /// Challenges end with the time that their options state (WebAuthn L3 §13.4.3).
    private static let lifetimes: [Case] = [
        challenge(
            "expired", "An assertion is refused after twice the timeout of its options.", .assertion, level: .should,
            needs: [.movableTime]
        ) { bench, recorder in
            let (begun, passkey) = try await bench.requireBegun()
            try await bench.outlive(begun)
            bench.judge(try await bench.complete(begun, passkey) { _ in }, .refused, recorder)
        },
        challenge(
            "expired", "A registration is refused after twice the timeout of its options.", .registration,
            level: .should, needs: [.movableTime]
        ) { bench, recorder in
            let begun = try await bench.requireRegistration()
            try await bench.outlive(begun)
            let response = try await bench.forge(RegistrationForm(), begun).response()
            bench.judge(try await bench.complete(begun, response), .refused, recorder)
        },
    ]
}

extension RelyingPartyBench {
    /// A session that knows an account and has begun nothing.
    func newSession(_ account: String) -> PartySession {
        let session = PartySession(party, accounts: pool)
        session.know(account)
        return session
    }

    func outlive(_ begun: BegunCeremony) async throws {
        guard let timeout = begun.options["timeout"]?.integer else {
            throw CaseStop.notApplicable("the options state no timeout")
        }
        do {
            try await passTime?(.milliseconds(timeout * 2))
        } catch {
            throw CaseStop.notRun("no time passed at the relying party: \(error)")
        }
    }
}
