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
        sample.expectation.attestation.rules = [.zeroAAGUIDOfU2F]
        let refused = try await sample.verdict()
        #expect(refused.ledger.failures.map(\.step) == [.attestationStatement])
        #expect(refused.ledger[.attestationStatement]?.reasons.map(\.label) == [.fidoU2FModelNotZero])

        sample.authenticatorData.attestedCredentialData?.aaguid = .zero
        #expect(try await sample.verdict().ledger[.attestationStatement] == .passed)
    }

    @Test func aPolicyCanRequireTheTrustedEnvironmentOfAndroid() async throws {
        var sample = try RegistrationSample(Vector.named("android-key-es256"))
        sample.expectation.attestation.rules = [.trustedEnvironmentOfAndroid]
        #expect(try await sample.verdict().ledger.isAccepted)

        sample.androidKey?.trustedEnvironmentEnforced = []
        sample.androidKey?.softwareEnforced = [AndroidKeyForm.purposes(2), AndroidKeyForm.origin(0)]
        let refused = try await sample.verdict()
        #expect(refused.ledger[.attestationStatement]?.reasons.map(\.label) == [.androidKeyOrigin, .androidKeyPurpose])
    }

    @Test(arguments: [
        ("id:494E5443", true), ("id:494e5443", true), ("id:414D4400", true), ("id:53544D20", true),
        ("id:00000000", false), ("id:FFFFF1D0", false), ("id:494E54", false), ("494E5443", false), ("INTC", false),
    ])
    func aPolicyCanRequireARegisteredTPMManufacturer(manufacturer: String, isRegistered: Bool) async throws {
        var sample = try RegistrationSample(Vector.named("tpm-es256"))
        sample.expectation.attestation.rules = [.registeredTPMManufacturer]
        try sample.certify { $0.tpmName?[0] = manufacturer }
        let outcome = try await sample.verdict().ledger[.attestationStatement]
        #expect(outcome?.reasons.map(\.label) == (isRegistered ? [] : [.tpmCertificateManufacturer]))
    }

    @Test func aU2FStatementProvesNoModelOnATrustedPath() async throws {
        let u2f = try await RegistrationSample(Vector.named("fido-u2f-es256")).verdict().get()
        #expect(u2f.isAttestationTrusted)
        #expect(!u2f.isModelProven)
        let packed = try await RegistrationSample(Vector.named("packed-es256")).verdict().get()
        #expect(packed.isModelProven)
    }
}
