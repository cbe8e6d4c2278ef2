public import WebAuthn

/// A relying party's expectations of any response, from the time it issued the options.
public struct CeremonyExpectation: Hashable, Sendable {
    /// The relying party's ID, a domain such as `example.org`.
    public var relyingPartyID: String
    /// The issued challenge, from the relying party's storage and never from the response.
    public var challenge: [UInt8]
    /// Whether the challenge can still be answered by this response.
    public var challengeState: ChallengeState
    /// The accepted origins in serialised form, such as `https://example.org`; compared byte by byte.
    public var origins: [String]
    /// Whether a response may come from a cross-origin frame.
    public var allowsCrossOrigin: Bool
    /// The accepted top-level origins of such frames, compared byte by byte.
    public var topOrigins: [String]
    /// The options' requirement for user verification; only `required` is enforced.
    public var userVerification: UserVerificationRequirement
    /// The policy for backup eligibility and state.
    public var backup: BackupPolicy
    /// The level of the specification whose steps the verifier walks.
    public var level: WebAuthnLevel

    /// Creates an expectation; default: no cross-origin frames, any backup flags, and the steps of Level 3.
    public init(
        relyingPartyID: String, challenge: [UInt8], challengeState: ChallengeState, origins: [String],
        allowsCrossOrigin: Bool = false, topOrigins: [String] = [], userVerification: UserVerificationRequirement,
        backup: BackupPolicy = BackupPolicy(), level: WebAuthnLevel = .three
    ) {
        self.relyingPartyID = relyingPartyID
        self.challenge = challenge
        self.challengeState = challengeState
        self.origins = origins
        self.allowsCrossOrigin = allowsCrossOrigin
        self.topOrigins = topOrigins
        self.userVerification = userVerification
        self.backup = backup
        self.level = level
    }
}

/// A level of the specification.
///
/// Level 2 compares the token binding in client data, and has no steps for `crossOrigin`, `topOrigin`, BE and BS.
public enum WebAuthnLevel: String, Hashable, Sendable, CaseIterable {
    case two = "2"
    case three = "3"

    /// The outcome of a step that only Level 3 has.
    var outcomeOfLevel3Step: LedgerOutcome? { self == .two ? .notApplicable("WebAuthn Level 2 has no such step") : nil }
}

/// The state of a challenge when its answer arrives (WebAuthn L3 §13.4.3).
public enum ChallengeState: String, Hashable, Sendable, Codable, CaseIterable {
    /// Issued to this session and user, not yet answered, not expired.
    case current
    /// Never issued, or no longer stored.
    case unknown
    /// Already answered.
    case used
    /// Answered too late.
    case expired
    /// Issued to another session.
    case otherSession
    /// Issued for another user.
    case otherUser
}

/// A relying party's policy for a credential's backup flags (WebAuthn L3 §6.1.3).
public struct BackupPolicy: Hashable, Sendable {
    /// The requirement on one flag.
    public enum Requirement: String, Hashable, Sendable, CaseIterable {
        case any, required, forbidden

        func holds(for flag: Bool) -> Bool { self == .any || (self == .required) == flag }
    }

    /// The requirement on BE.
    public var eligibility: Requirement
    /// The requirement on BS.
    public var state: Requirement

    /// Creates a policy; default: any flags.
    public init(eligibility: Requirement = .any, state: Requirement = .any) {
        self.eligibility = eligibility
        self.state = state
    }
}
