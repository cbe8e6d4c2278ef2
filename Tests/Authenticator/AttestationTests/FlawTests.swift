import Attestation
import AttestationSamples
import COSE
import RelyingParty
import Testing
import WebAuthn

/// Flawed statements, verified by a relying party.
struct FlawTests {
    private let authority: AttestationAuthority

    init() throws {
        authority = try AttestationAuthority()
    }

    /// Flaws with unavoidable side effects: a certificate of version 1 has no extensions, an issuer in the leaf's place is a
    /// CA certificate, and another algorithm than RS1 has another hash.
    private static let inseparable: [AttestationFlaw: Set<ReasonLabel>] = [
        .oldVersion: [
            .certificateBasicConstraints, .tpmCertificateName, .tpmCertificateUsage,
        ],
        .wrongOrder: [.certificateIsCA], .algorithmMismatch: [.tpmExtraDataMismatch],
    ]

    @Test(arguments: Flawed.all)
    func aFlawIsDetectedAtItsStepForItsReason(_ flawed: Flawed) async throws {
        let sample = try AttestationSample(flawed.kind, flaw: flawed.flaw, authority: authority)
        let ledger = await Verdicts.verdict(sample, trusting: authority).ledger
        let description = flawed.flaw.description
        #expect(ledger.failures.map(\.step) == [description.step])
        var labels = Set(ledger.failures.flatMap(\.outcome.reasons).map(\.label))
        #expect(labels.contains(ReasonLabel(rawValue: description.reason)))
        labels.remove(ReasonLabel(rawValue: description.reason))
        labels.subtract(Self.inseparable[flawed.flaw] ?? [])
        if flawed.kind == .compound { labels.remove(.compoundQuorum) }
        #expect(labels.isEmpty)
    }

    @Test(arguments: [AttestationKind.tpm, .tpmRS1])
    func theTestManufacturerIsAcceptedWithoutTheRule(_ kind: AttestationKind) async throws {
        let sample = try AttestationSample(kind, flaw: .tpmManufacturer, authority: authority)
        var policy = Verdicts.policy(trusting: [authority.rootCertificate])
        policy.rules = []
        #expect(await Verdicts.verdict(sample, policy).ledger.failures.isEmpty)
    }

    @Test(arguments: Flawed.others)
    func aFlawDoesNotChangeAKindThatCannotHaveIt(_ flawed: Flawed) throws {
        let whole = try AttestationSample(flawed.kind, authority: authority)
        let other = try AttestationSample(flawed.kind, flaw: flawed.flaw, authority: authority)
        #expect(other.object == whole.object)
    }

    @Test(arguments: [COSE.Algorithm.es384, .es512, .rs256])
    func aFlawIsDetectedWithEveryAlgorithm(_ algorithm: COSE.Algorithm) async throws {
        for flawed in Flawed.all where flawed.kind.attests(algorithm) {
            let sample = try AttestationSample(
                flawed.kind, algorithm: algorithm, flaw: flawed.flaw, authority: authority)
            let ledger = await Verdicts.verdict(sample, trusting: authority).ledger
            #expect(ledger.failures.map(\.step) == [flawed.flaw.description.step], "\(flawed)")
            let labels = ledger.failures.flatMap(\.outcome.reasons).map(\.label.rawValue)
            // An RSA signature in the place of an ECDSA one has no form that could be verified.
            let isUnreadable = flawed.flaw == .credentialSignature && algorithm == .rs256
            let reason = isUnreadable ? "attestation.signatureMalformed" : flawed.flaw.description.reason
            #expect(labels.contains(reason), "\(flawed)")
        }
    }

    @Test func everyFlawHasAKindAndAUniqueMeaning() {
        for flaw in AttestationFlaw.allCases {
            #expect(!flaw.description.kinds.isEmpty)
            #expect([.attestationStatement, .attestationTrust].contains(flaw.description.step))
            #expect(!flaw.description.meaning.isEmpty)
        }
        #expect(Set(AttestationFlaw.allCases.map(\.description.meaning)).count == AttestationFlaw.allCases.count)
    }
}
