import Attestation
import AttestationSamples
import COSE
import RelyingParty
import Testing
import WebAuthn

/// Statements without flaws, verified by a relying party.
struct KindTests {
    private let authority: AttestationAuthority

    init() throws {
        authority = try AttestationAuthority()
    }

    private static let certified = AttestationKind.allCases.filter { ![.none, .packed].contains($0) }

    @Test(arguments: Attested.all)
    func everyStatementIsAcceptedAsItsType(_ attested: Attested) async throws {
        let sample = try AttestationSample(attested.kind, algorithm: attested.algorithm, authority: authority)
        let credential = try await Verdicts.verdict(sample, trusting: authority).get()
        let expected: AttestationResult.Kind =
            switch attested.kind {
            case .none: .none
            case .packed: .`self`
            case .packedBasic, .fidoU2F, .tpm, .tpmRS1, .androidKey, .apple: .certified
            case .compound: .compound
            }
        #expect(credential.attestation.kind == expected)
        #expect(credential.attestationFormat == attested.kind.format)
        #expect(credential.isAttestationTrusted == Self.certified.contains(attested.kind))
        #expect(credential.attestation.trustPath == (expected == .compound ? [] : try sample.certificates))
        #expect(
            credential.attestation.components.map(\.format) == (expected == .compound ? ["packed", "android-key"] : []))
    }

    @Test(arguments: certified)
    func noStatementIsTrustedWithoutAnAnchor(_ kind: AttestationKind) async throws {
        let sample = try AttestationSample(kind, authority: authority)
        let verdict = await Verdicts.verdict(sample, Verdicts.policy(trusting: []))
        #expect(verdict.ledger.failures.map(\.step) == [.attestationTrust])
        #expect(Set(verdict.ledger[.attestationTrust]?.reasons.map(\.label) ?? []) == [.attestationNoTrustAnchor])
    }

    @Test(arguments: certified)
    func theRootOfAnotherAuthorityIsNoAnchor(_ kind: AttestationKind) async throws {
        let sample = try AttestationSample(kind, authority: authority)
        let stranger = try AttestationAuthority(seed: Array("another".utf8))
        let verdict = await Verdicts.verdict(sample, trusting: stranger)
        #expect(verdict.ledger.failures.map(\.step) == [.attestationTrust])
        // The path of android-key has a root of its own.
        let expected: Set<ReasonLabel> =
            switch kind {
            case .androidKey: [.attestationSelfSignedRoot]
            case .compound: [.attestationUntrusted, .attestationSelfSignedRoot]
            default: [.attestationUntrusted]
            }
        #expect(Set(verdict.ledger[.attestationTrust]?.reasons.map(\.label) ?? []) == expected)
    }

    @Test(arguments: [
        (AttestationKind.none, ReasonLabel.attestationNoneRefused), (.packed, .attestationSelfRefused),
    ])
    func anUntrustedAttestationIsRefused(_ kind: AttestationKind, _ reason: ReasonLabel) async throws {
        let sample = try AttestationSample(kind, authority: authority)
        var policy = Verdicts.policy(trusting: [authority.rootCertificate])
        policy.acceptsNone = false
        policy.acceptsSelf = false
        let verdict = await Verdicts.verdict(sample, policy)
        #expect(verdict.ledger.failures.map(\.step) == [.attestationTrust])
        #expect(verdict.ledger[.attestationTrust]?.reasons.map(\.label) == [reason])
    }

    @Test(arguments: certified)
    func aTrustedStatementProvesTheModelUnlessItIsU2F(_ kind: AttestationKind) async throws {
        let sample = try AttestationSample(kind, authority: authority)
        var policy = Verdicts.policy(trusting: [authority.rootCertificate])
        #expect(await Verdicts.verdict(sample, policy).credential?.isAttestationTrusted == true)
        policy.acceptedModels = [sample.aaguid]
        #expect(await Verdicts.verdict(sample, policy).credential?.isModelProven == (kind == .fidoU2F ? nil : true))
    }

    @Test func aKindRefusesUnsupportedAlgorithms() throws {
        for kind in AttestationKind.allCases {
            for algorithm in COSE.Algorithm.supported where !kind.attests(algorithm) {
                #expect(throws: AttestationError.unsupported(kind, algorithm)) {
                    try AttestationSample(kind, algorithm: algorithm, authority: authority)
                }
            }
        }
        #expect(!AttestationKind.fidoU2F.attests(.es384))
        #expect(!AttestationKind.tpm.attests(.edDSA))
    }
}
