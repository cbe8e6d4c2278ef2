import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

@Suite("The specification's test vectors")
struct VectorTests {
    /// What becomes of a vector's registration and authentication.
    struct Expectation: Sendable, CustomTestStringConvertible {
        let name: String
        /// The one step that refuses the registration, or nil where it is accepted.
        var registration: (step: LedgerStep, label: ReasonLabel)?
        /// The one step that refuses the authentication, or nil where it is accepted.
        var authentication: (step: LedgerStep, label: ReasonLabel)?

        var testDescription: String { name }
    }

    static let table: [Expectation] =
        Vector.supported.map { Expectation(name: $0) } + [
            Expectation(
                name: "packed-rs256", registration: (.r15, .algorithmUnsupported),
                authentication: (.a9, .algorithmUnsupported)),
            Expectation(
                name: "packed-ed448", registration: (.r15, .algorithmUnsupported),
                authentication: (.a9, .algorithmUnsupported)),
            Expectation(name: "tpm-es256", registration: (.r16, .attestationFormatUnsupported)),
            Expectation(name: "android-key-es256", registration: (.r16, .attestationFormatUnsupported)),
            Expectation(name: "apple-es256", registration: (.r16, .attestationFormatUnsupported)),
            Expectation(name: "fido-u2f-es256", registration: (.r16, .attestationFormatUnsupported)),
        ]

    @Test func theTableNamesEveryVector() throws {
        #expect(try Vector.allNames() == Self.table.map(\.name).sorted())
    }

    @Test("A registration is accepted, or refused at the one step that does not know it", arguments: table)
    func registration(_ expected: Expectation) async throws {
        let vector = try Vector.named(expected.name)
        let registration = vector.registration
        let clientData = try CollectedClientData(parsing: registration.bytes("clientDataJSON"))
        let id = try registration.bytes("credential_id")
        let response = RegistrationResponse(
            credentialID: id, authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: try registration.bytes("clientDataJSON"),
                attestationObject: try registration.bytes("attestationObject")))
        let expectation = RegistrationExpectation(
            ceremony: Example.ceremony(challenge: try registration.bytes("challenge"), clientData: clientData),
            algorithms: [.es256, .es384, .es512, .edDSA, .rs256, .ed448], userHandle: Example.userHandle,
            completingUserHandle: Example.userHandle, attestation: try Example.attestation(), owner: { _ in .nobody })
        let verdict = await RegistrationVerifier().verify(response, expectation: expectation)
        if let refusal = expected.registration {
            #expect(verdict.ledger.failures.map(\.step) == [refusal.step])
            #expect(verdict.ledger[refusal.step]?.reasons.map(\.label) == [refusal.label])
            #expect(verdict.credential == nil)
        } else {
            #expect(verdict.ledger.failures == [])
            let credential = try verdict.get()
            #expect(credential.record.id == id)
            #expect(try credential.record.aaguid.bytes == registration.bytes("aaguid"))
            #expect(credential.isAttestationTrusted == (credential.attestation.kind == .certified))
        }
    }

    @Test("An authentication is accepted, or refused at the one step that does not know it", arguments: table)
    func authentication(_ expected: Expectation) throws {
        let vector = try Vector.named(expected.name)
        let authentication = vector.authentication
        let clientData = try CollectedClientData(parsing: authentication.bytes("clientDataJSON"))
        let registered = try AuthenticatorData(
            parsing: AttestationObject(parsing: vector.registration.bytes("attestationObject")).authenticatorData)
        let attested = try #require(registered.attestedCredentialData)
        let record = CredentialRecord(
            id: attested.credentialID, publicKey: CBOR.encode(attested.credentialPublicKey),
            signCount: registered.signCount, uvInitialized: false,
            backupEligible: registered.flags.contains(.backupEligible), backupState: false, aaguid: attested.aaguid,
            userHandle: Example.userHandle, relyingPartyID: Example.relyingPartyID)
        let response = AuthenticationResponse(
            credentialID: attested.credentialID, authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: try authentication.bytes("clientDataJSON"),
                authenticatorData: try authentication.bytes("authenticatorData"),
                signature: try authentication.bytes("signature"), userHandle: Example.userHandle))
        let expectation = AuthenticationExpectation(
            ceremony: Example.ceremony(challenge: try authentication.bytes("challenge"), clientData: clientData),
            user: .unknown)
        let verdict = AuthenticationVerifier().verify(response, expectation: expectation) {
            $0 == record.id ? record : nil
        }
        if let refusal = expected.authentication {
            #expect(verdict.ledger.failures.map(\.step) == [refusal.step])
            #expect(verdict.ledger[refusal.step]?.reasons.map(\.label) == [refusal.label])
            #expect(verdict.update == nil)
        } else {
            #expect(verdict.ledger.failures == [])
            #expect(try verdict.get().id == attested.credentialID)
        }
    }
}
