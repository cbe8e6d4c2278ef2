import COSE
import RelyingParty
import Testing
import WebAuthn

@Suite("Each changed response is caught by the intended step")
struct MutationTests {
    @Test("Registration", arguments: RegistrationMutation.all)
    func registration(_ mutation: RegistrationMutation) async throws {
        var count = 0
        for name in Vector.supported {
            var sample = try RegistrationSample(Vector.named(name))
            guard mutation.isExpressible(for: sample) else { continue }
            count += 1
            try mutation.apply(&sample)
            let verdict = try await sample.verdict()
            expect(verdict.ledger, mutation.caughtBy, "\(name)")
            for (step, label) in mutation.flaggedBy {
                let reasons = if case .flagged(let reasons)? = verdict.ledger[step] { reasons } else { [Reason]() }
                #expect(reasons.map(\.label).contains(label), "\(name)")
            }
            #expect((verdict.credential == nil) == !mutation.caughtBy.isEmpty, "\(name)")
        }
        #expect(count > 0)
    }

    @Test("Authentication", arguments: AuthenticationMutation.all)
    func authentication(_ mutation: AuthenticationMutation) throws {
        var count = 0
        for name in Vector.supported {
            var sample = try AuthenticationSample(Vector.named(name))
            guard !mutation.isForECDSA || !sample.credentialKey.publicKey.y.isEmpty else { continue }
            count += 1
            try mutation.apply(&sample)
            let verdict = try sample.verdict()
            expect(verdict.ledger, mutation.caughtBy, "\(name)")
            #expect((verdict.update == nil) == !mutation.caughtBy.isEmpty, "\(name)")
        }
        #expect(count > 0)
    }

    @Test func aShortChallengeIsFlaggedInAnAuthentication() throws {
        var sample = try AuthenticationSample(Vector.named("none-es256"))
        sample.expectation.ceremony.challenge = [1, 2, 3, 4]
        sample.clientData.challenge = Base64URL.encode([1, 2, 3, 4])
        let ledger = try sample.verdict().ledger
        #expect(ledger[.assertionClientData]?.flags.map(\.label) == [.challengeTooShort])
        #expect(ledger.isAccepted)
    }

    @Test func copiesThatAgreeWithTheAttestationObjectAreNotFlagged() async throws {
        for name in Vector.supported {
            var sample = try RegistrationSample(Vector.named(name))
            let (key, data) = (sample.credentialKey.publicKey, sample.authenticatorDataBytes)
            sample.editResponse = {
                $0.response.authenticatorData = Base64URLBytes(data)
                $0.response.publicKey = Base64URLBytes(key.subjectPublicKeyInfo)
                $0.response.publicKeyAlgorithm = key.algorithm.rawValue
            }
            let ledger = try await sample.verdict().ledger
            #expect(ledger[.attestedCredentialData] == .passed && ledger[.credentialKey] == .passed, "\(name)")
        }
    }

    @Test("Every vector is changed in at least ten ways that each ceremony catches", arguments: Vector.supported)
    func enoughMutations(_ name: String) throws {
        let registration = try RegistrationSample(Vector.named(name))
        let expressible = RegistrationMutation.all.filter { $0.isExpressible(for: registration) }
        #expect(expressible.filter { !$0.caughtBy.isEmpty }.count >= 10)
        #expect(AuthenticationMutation.all.filter { !$0.caughtBy.isEmpty && !$0.isForECDSA }.count >= 10)
    }

    @Test func mutationsHaveUniqueNames() {
        #expect(Set(RegistrationMutation.all.map(\.name)).count == RegistrationMutation.all.count)
        #expect(Set(AuthenticationMutation.all.map(\.name)).count == AuthenticationMutation.all.count)
    }

    @Test func someMutationFailsEveryRegistrationStepThatCanFail() {
        let caught = Set(RegistrationMutation.all.flatMap(\.caughtBy.keys))
        // r20 makes the record once everything else holds.
        #expect(caught == Set(VerificationStep.registration).subtracting([.credentialRecord]))
    }

    @Test func someMutationFailsEveryAuthenticationStepThatCanFail() {
        let caught = Set(AuthenticationMutation.all.flatMap(\.caughtBy.keys))
        // a11 and a12 make the state once everything else holds.
        #expect(caught == Set(VerificationStep.authentication).subtracting([.updatedState, .stateRelease]))
    }

    private func expect(_ ledger: Ledger, _ caughtBy: [VerificationStep: ReasonLabel], _ comment: Comment) {
        #expect(Set(ledger.failures.map(\.step)) == Set(caughtBy.keys), comment)
        for (step, label) in caughtBy {
            #expect(ledger[step]?.reasons.map(\.label).contains(label) == true, comment)
        }
        #expect(ledger.isAccepted == caughtBy.isEmpty, comment)
        // The project's own words, not a library's description with a position in its sources.
        for reason in ledger.entries.flatMap(\.outcome.reasons) {
            #expect(!reason.explanation.contains(".swift"), comment)
        }
    }
}
