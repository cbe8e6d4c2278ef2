package import COSE
package import RelyingParty
package import WebAuthn

/// The knowledge of a relying party when it asked for a captured response; a value here replaces that of the file.
package struct CaptureSettings: Sendable {
    /// The challenge as text, in any form that ``Capture`` reads.
    package var challenge: String?
    package var origins: [String] = []
    package var relyingPartyID: String?
    package var userVerification: UserVerificationRequirement?
    /// The offered algorithms; none for those of the file, or every supported one.
    package var algorithms: [COSE.Algorithm] = []
    /// Whether a response may come from a cross-origin frame.
    package var allowsCrossOrigin = false
    /// The accepted top-level origins of such frames.
    package var topOrigins: [String] = []
    package var level = WebAuthnLevel.three
    package var counterPolicy = CounterPolicy.reject
    package var attestation = AttestationPolicy.notAssessed
    /// The stored credential of an assertion.
    package var record: CapturedRecord?

    /// The moment of judging, since the Unix epoch.
    package var now: Duration

    package init(now: Duration) { self.now = now }
}
