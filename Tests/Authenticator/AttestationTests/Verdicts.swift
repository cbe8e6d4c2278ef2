import Attestation
import AttestationSamples
import COSE
import RelyingParty
import WebAuthn

/// The verdict of a relying party that trusts an authority.
enum Verdicts {
    /// A day in June 2025.
    static let now = Duration.seconds(1_750_000_000)

    /// A policy that accepts every attestation with a trust anchor.
    static func policy(trusting roots: [[UInt8]]) -> AttestationPolicy {
        AttestationPolicy(
            acceptsNone: true, acceptsSelf: true, trustAnchors: TrustAnchors(forAllModels: roots),
            rules: [.registeredTPMManufacturer])
    }

    static func verdict(_ sample: AttestationSample, _ policy: AttestationPolicy) async -> RegistrationVerdict {
        let user = Array("user".utf8)
        let expectation = RegistrationExpectation(
            ceremony: CeremonyExpectation(
                relyingPartyID: AttestationSample.relyingPartyID, challenge: sample.challenge,
                challengeState: .current, origins: [AttestationSample.origin], userVerification: .required),
            algorithms: COSE.Algorithm.supported, userHandle: user, completingUserHandle: user, attestation: policy,
            now: now, owner: { _ in .unregistered })
        let response = RegistrationResponse(
            credentialID: sample.credentialID, authenticatorAttachment: nil,
            response: .init(clientDataJSON: sample.clientDataJSON, attestationObject: sample.object.encoded))
        return await RegistrationVerifier().verify(response, expectation: expectation)
    }

    static func verdict(_ sample: AttestationSample, trusting authority: AttestationAuthority) async
        -> RegistrationVerdict
    {
        await verdict(sample, policy(trusting: [authority.rootCertificate]))
    }
}

/// A kind and an algorithm that it attests.
struct Attested: Hashable, CustomStringConvertible {
    let kind: AttestationKind
    let algorithm: COSE.Algorithm

    static let all = AttestationKind.allCases.flatMap { kind in
        COSE.Algorithm.supported.filter(kind.attests).map { Attested(kind: kind, algorithm: $0) }
    }

    var description: String { "\(kind.rawValue) of \(algorithm)" }
}

/// A kind and a flaw that it can have.
struct Flawed: Hashable, CustomStringConvertible {
    let kind: AttestationKind
    let flaw: AttestationFlaw

    static let all = AttestationFlaw.allCases.flatMap { flaw in
        flaw.description.kinds.map { Flawed(kind: $0, flaw: flaw) }
    }

    static let others = AttestationFlaw.allCases.flatMap { flaw in
        AttestationKind.allCases.filter { !flaw.description.kinds.contains($0) }.map { Flawed(kind: $0, flaw: flaw) }
    }

    var description: String { "\(flaw.rawValue) of \(kind.rawValue)" }
}
