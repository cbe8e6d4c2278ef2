import Attestation
import AttestationSamples
import CBOR
import COSE
import CTAP
import RelyingParty
import TestSupport
import Testing
import WebAuthn

/// Damaged answers of devices: to the platform's side of each command, and to a relying party that verifies attestation.
@Suite("Malformed answers of devices", .serialized)
struct AnswerFuzzTests {
    /// The readers of responses; each gets every answer.
    private static let readers: [@Sendable (CBOR.Value) throws -> Void] = [
        { _ = try AuthenticatorInfo(cbor: $0) },
        { _ = try MakeCredentialResponse(cbor: $0) },
        { _ = try GetAssertionResponse(cbor: $0) },
        { _ = try ClientPINResponse(cbor: $0) },
        { _ = try CredentialManagementResponse(cbor: $0) },
        { _ = try BioEnrollmentResponse(cbor: $0) },
        { _ = try LargeBlobsResponse(cbor: $0) },
    ]

    @Test func responsesAreReadOrRefused() {
        var info = AuthenticatorInfo(versions: ["FIDO_2_0", "FIDO_2_1"], aaguid: AttestationSample.model)
        info.extensions = ["hmac-secret", "credProtect"]
        let credential = PublicKeyCredentialDescriptor(id: [1, 2, 3])
        let answers = [
            info.cbor,
            MakeCredentialResponse(format: "none", authenticatorData: Seeds.hash, attestationStatement: [:]).cbor,
            GetAssertionResponse(credential: credential, authenticatorData: Seeds.hash, signature: Seeds.hash).cbor,
        ].map { CBOR.encode($0) }
        var (generator, readable) = (Fuzzing.generator(19), 0)
        for round in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(answers[round % answers.count], &generator)
            guard let item = try? CBOR.decode(bytes, options: .attestation) else { continue }
            for read in Self.readers where (try? read(item)) != nil { readable += 1 }
        }
        #expect(readable > 0)
    }

    @Test(arguments: AttestationKind.allCases)
    func aDamagedAttestationIsAcceptedOnlyTogetherWithACredential(kind: AttestationKind) async throws {
        let sample = try AttestationSample(kind, authority: AttestationAuthority())
        let good = sample.object.encoded
        let expectation = RegistrationExpectation(
            ceremony: CeremonyExpectation(
                relyingPartyID: AttestationSample.relyingPartyID, challenge: sample.challenge,
                challengeState: .current, origins: [AttestationSample.origin], userVerification: .preferred),
            algorithms: [.es256], userHandle: [1], completingUserHandle: nil, now: .seconds(1_750_000_000),
            owner: { _ in .unregistered })
        func verdict(_ object: [UInt8]) async -> RegistrationVerdict {
            await RegistrationVerifier().verify(
                RegistrationResponse(
                    credentialID: sample.credentialID, authenticatorAttachment: nil,
                    response: AttestationResponse(
                        clientDataJSON: sample.clientDataJSON, attestationObject: object)),
                expectation: expectation)
        }
        #expect(await verdict(good).credential != nil)
        var generator = Fuzzing.generator(20 + (AttestationKind.allCases.firstIndex(of: kind) ?? 0))
        for _ in 0..<Fuzzing.rounds(200) {
            let object = Mutation.mutated(good, &generator)
            let judged = await verdict(object)
            if judged.ledger.isAccepted != (judged.credential != nil) {
                Issue.record("\(object.hex) is accepted without a credential, or the reverse")
            }
        }
    }
}
