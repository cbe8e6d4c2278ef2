import RelyingParty
import WebAuthn

/// The relying party of the vectors.
enum Example {
    static let relyingPartyID = "example.org"
    static let origin = "https://example.org"
    static let appID = "https://example.org/app-id.json"
    static let topOrigin = "https://example.com"
    static let userHandle: [UInt8] = Array("user-0123456789".utf8)
    static let otherUserHandle: [UInt8] = Array("user-9876543210".utf8)
    /// A day in June 2025.
    static let now = Duration.seconds(1_750_000_000)

    /// The expectations of a relying party that issued this challenge; framed if the client data says so.
    static func ceremony(challenge: [UInt8], clientData: CollectedClientData) -> CeremonyExpectation {
        CeremonyExpectation(
            relyingPartyID: relyingPartyID, challenge: challenge, challengeState: .current, origins: [origin],
            allowsCrossOrigin: clientData.crossOrigin == true, topOrigins: [topOrigin], userVerification: .preferred)
    }

    static func attestation() throws -> AttestationPolicy {
        AttestationPolicy(
            acceptsNone: true, acceptsSelf: true,
            trustAnchors: TrustAnchors(forAllModels: [try VectorFile.rootCertificate()]))
    }
}
