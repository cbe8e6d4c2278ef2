import CBOR
import COSE
import Foundation
import RelyingParty
import Testing
import WebAuthn

@Suite("The ledger")
struct LedgerTests {
    @Test func stepsAreInTheSpecificationsOrder() async throws {
        #expect(VerificationStep.registration.map(\.rawValue) == (1...22).map { "r\($0)" })
        #expect(VerificationStep.authentication.map(\.rawValue) == (1...12).map { "a\($0)" })
        let registration = try await RegistrationSample(Vector.named("none-es256")).verdict()
        #expect(registration.ledger.entries.map(\.step) == VerificationStep.registration)
        let authentication = try AuthenticationSample(Vector.named("none-es256")).verdict()
        #expect(authentication.ledger.entries.map(\.step) == VerificationStep.authentication)
    }

    @Test func everyStepHasATitleAndAClauseOfItsCeremony() {
        #expect(
            Set(VerificationStep.allCases.map { "\($0.title) \($0.clause)" }).count == VerificationStep.allCases.count)
        #expect(VerificationStep.allCases.allSatisfy { $0.clause.hasPrefix("WebAuthn L3 §") })
    }

    @Test func aForgedRegistrationShowsEveryFailedCheck() async throws {
        var sample = try RegistrationSample(Vector.named("packed-es256"))
        sample.clientData.origin = "https://evil.test"
        sample.clientData.challenge = "AAAA"
        sample.expectation.ceremony.challengeState = .used
        sample.authenticatorData.flags.remove(.userPresent)
        sample.expectation.owner = { _ in .otherUser }
        sample.editSignature = { _ in [] }
        let ledger = try await sample.verdict().ledger
        #expect(
            ledger.failures.map(\.step) == [
                .challenge, .origin, .userPresence, .attestationStatement, .credentialIDUniqueness,
            ])
        #expect(ledger[.challenge]?.reasons.map(\.label) == [.challengeUsed, .challengeMismatch])
        #expect(ledger[.attestationTrust] == .notReached)
        #expect(ledger[.credentialIDLength] == .passed)
        #expect(ledger[.credentialRecord] == .notReached)
        #expect(ledger.firstFailure?.step == .challenge)
    }

    @Test func anUnreadableAttestationObjectLeavesOnlyItsStepsUnjudged() async throws {
        var sample = try RegistrationSample(Vector.named("none-es256"))
        sample.rawAttestationObject = { _ in [0xFF] }
        let ledger = try await sample.verdict().ledger
        let unjudged = ledger.entries.filter { $0.outcome == .notReached }.map(\.step)
        #expect(
            unjudged == [
                .registrationResponse, .relyingPartyIDHash, .userPresence, .userVerification, .backupConsistency,
                .backupPolicy, .attestedCredentialData, .credentialKey, .attestationStatement, .attestationTrust,
                .credentialIDLength, .credentialIDUniqueness, .credentialRecord,
            ])
    }

    @Test func aSpentChallengeIsReportedEvenWhenClientDataCannotBeRead() async throws {
        var sample = try RegistrationSample(Vector.named("none-es256"))
        sample.rawClientData = [0x7B]
        sample.expectation.ceremony.challengeState = .expired
        let ledger = try await sample.verdict().ledger
        #expect(ledger.failures.map(\.step) == [.clientDataJSON, .challenge])
        #expect(ledger[.origin] == .notReached)
    }

    @Test func theRecordHoldsTheAuthenticatorsStatements() async throws {
        var sample = try RegistrationSample(Vector.named("packed-self-es256"))
        sample.authenticatorData.signCount = 7
        sample.authenticatorData.flags = [
            .userPresent, .userVerified, .backupEligible, .backupState, .attestedCredentialData,
        ]
        let response = try sample.response()
        let credential = try await RegistrationVerifier().verify(response, expectation: sample.expectation).get()
        let attested = try #require(sample.authenticatorData.attestedCredentialData)
        #expect(
            credential.record
                == CredentialRecord(
                    id: attested.credentialID, publicKey: sample.credentialKey.publicKey.encoded, signCount: 7,
                    uvInitialized: true, transports: [.internal, .hybrid], backupEligible: true, backupState: true,
                    aaguid: attested.aaguid, userHandle: Example.userHandle,
                    relyingPartyID: Example.relyingPartyID,
                    attestationObject: response.response.attestationObject.bytes,
                    attestationClientDataJSON: response.response.clientDataJSON.bytes))
        #expect(credential.attestationFormat == "packed")
        #expect(credential.attestation == .`self`)
        #expect(!credential.isAttestationTrusted)
    }

    @Test func aPathLeftUnassessedIsAcceptedButNotTrusted() async throws {
        var sample = try RegistrationSample(Vector.named("packed-es256"))
        sample.expectation.attestation = .notAssessed
        let credential = try await sample.verdict().get()
        #expect(credential.attestation.kind == .certified)
        #expect(!credential.isAttestationTrusted)
    }

    @Test func theUpdateHoldsTheReceivedState() throws {
        var sample = try AuthenticationSample(Vector.named("none-es256"))
        sample.authenticatorData.flags = [.userPresent, .userVerified, .backupEligible, .backupState]
        sample.authenticatorData.signCount = 1000
        sample.record?.signCount = 10
        sample.record?.backupEligible = true
        sample.record?.backupState = false
        sample.record?.uvInitialized = false
        let update = try sample.verdict().get()
        #expect(update.signCount == 1000)
        #expect(update.backupState)
        #expect(update.userVerified)
        #expect(update.userHandle == Example.userHandle)
        #expect(!update.uvInitialized)

        sample.expectation.authorizesUVInitialization = true
        #expect(try sample.verdict().get().uvInitialized)
    }

    @Test func userVerificationStaysInitialized() throws {
        var sample = try AuthenticationSample(Vector.named("none-es256"))
        sample.authenticatorData.flags.remove(.userVerified)
        sample.record?.uvInitialized = true
        let update = try sample.verdict().get()
        #expect(update.uvInitialized)
        #expect(!update.userVerified)
    }

    @Test func aFlaggedCounterIsAcceptedAndShown() throws {
        var sample = try AuthenticationSample(Vector.named("none-es256"))
        sample.record?.signCount = 42
        sample.authenticatorData.signCount = 41
        sample.expectation.counterPolicy = .flag
        let verdict = try sample.verdict()
        guard case .flagged(let reasons)? = verdict.ledger[.signatureCounter] else {
            Issue.record("a10 is \(String(describing: verdict.ledger[.signatureCounter]))")
            return
        }
        #expect(reasons.map(\.label) == [.counterNotIncreased])
        #expect(verdict.ledger.flagged.map(\.step) == [.signatureCounter])
        #expect(try verdict.get().signCount == 41)
    }

    @Test func anErrorCarriesTheLedgerAndNamesTheFirstFailure() async throws {
        var sample = try RegistrationSample(Vector.named("none-es256"))
        sample.clientData.origin = "https://evil.test"
        let verdict = try await sample.verdict()
        let error = #expect(throws: VerificationError.self) { try verdict.get() }
        #expect(error?.ledger == verdict.ledger)
        #expect(error?.description.hasPrefix("r5 origin.unexpected: ") == true)
    }

    @Test func aLedgerSurvivesJSON() throws {
        var sample = try AuthenticationSample(Vector.named("none-es256"))
        sample.clientData.origin = "https://evil.test"
        sample.record?.signCount = 42
        sample.authenticatorData.signCount = 41
        sample.expectation.counterPolicy = .flag
        let ledger = try sample.verdict().ledger
        let json = try JSONEncoder().encode(ledger)
        #expect(try JSONDecoder().decode(Ledger.self, from: json) == ledger)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains("\"accepted\":false"))
        #expect(text.contains("\"label\":\"origin.unexpected\""))
    }

    @Test func aReportCannotBeTurnedIntoAnAcceptance() throws {
        var sample = try AuthenticationSample(Vector.named("none-es256"))
        sample.clientData.origin = "https://evil.test"
        let json = String(decoding: try JSONEncoder().encode(sample.verdict().ledger), as: UTF8.self)
        let forged = json.replacing("\"accepted\":false", with: "\"accepted\":true")
        #expect(forged != json)
        #expect(try !JSONDecoder().decode(Ledger.self, from: Data(forged.utf8)).isAccepted)
    }
}
