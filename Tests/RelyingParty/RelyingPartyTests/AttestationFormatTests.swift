import RelyingParty
import Testing
import WebAuthn

@Suite("Attestation formats")
struct AttestationFormatTests {
    /// A format that a user of the library could add.
    private struct Permissive: AttestationFormat {
        let identifier = "x-permissive"

        func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
            guard input.signedBytes == input.authenticatorDataBytes + input.clientDataHash else {
                throw .failed([Reason("x-permissive.bytes", "the bytes differ")])
            }
            return .none
        }
    }

    @Test func theStandardFormatsAreThoseImplemented() {
        #expect(
            AttestationFormats.standard.identifiers == [
                "none", "packed", "tpm", "android-key", "apple", "fido-u2f", "compound",
            ])
    }

    @Test func aVerifierKnowsOnlyTheFormatsItIsGiven() async throws {
        var sample = try RegistrationSample(Vector.named("none-es256"))
        let verifier = RegistrationVerifier(formats: AttestationFormats([Permissive()]))
        let refused = await verifier.verify(try sample.response(), expectation: sample.expectation)
        #expect(refused.ledger[.attestationStatement]?.reasons.map(\.label) == [.attestationFormatUnsupported])

        sample.format = "x-permissive"
        let accepted = await verifier.verify(try sample.response(), expectation: sample.expectation)
        #expect(accepted.ledger.isAccepted)
        #expect(accepted.credential?.attestationFormat == "x-permissive")
    }

    @Test func aTrustedPathIsInTheVerdict() async throws {
        var sample = try RegistrationSample(Vector.named("packed-es384"))
        try sample.certifyThroughIntermediate { _ in }
        let credential = try await sample.verdict().get()
        #expect(credential.attestation == .certified(sample.certificates))
        #expect(credential.isAttestationTrusted)
    }

    @Test func aPolicyCanRequireAZeroAAGUIDOfU2F() async throws {
        var sample = try RegistrationSample(Vector.named("fido-u2f-es256"))
        let verifier = RegistrationVerifier(
            formats: AttestationFormats([FIDOU2FAttestation(requiresZeroAAGUID: true)]))
        let refused = await verifier.verify(try sample.response(), expectation: sample.expectation)
        #expect(refused.ledger[.attestationStatement]?.reasons.map(\.label) == [.fidoU2FModelNotZero])

        sample.authenticatorData.attestedCredentialData?.aaguid = .zero
        let accepted = await verifier.verify(try sample.response(), expectation: sample.expectation)
        #expect(accepted.ledger.isAccepted)
    }

    @Test func aPolicyCanRequireTheTrustedEnvironmentOfAndroid() async throws {
        var sample = try RegistrationSample(Vector.named("android-key-es256"))
        let verifier = RegistrationVerifier(
            formats: AttestationFormats([AndroidKeyAttestation(requiresTrustedEnvironment: true)]))
        let accepted = await verifier.verify(try sample.response(), expectation: sample.expectation)
        #expect(accepted.ledger.isAccepted)

        sample.androidKey?.trustedEnvironmentEnforced = []
        sample.androidKey?.softwareEnforced = [AndroidKeyForm.purposes(2), AndroidKeyForm.origin(0)]
        let refused = await verifier.verify(try sample.response(), expectation: sample.expectation)
        #expect(refused.ledger[.attestationStatement]?.reasons.map(\.label) == [.androidKeyOrigin, .androidKeyPurpose])
    }
}
