public import WebAuthn

/// What a relying party expects of any response, as it stood when it issued the options.
public struct CeremonyExpectation: Hashable, Sendable {
    /// The relying party's ID, a domain such as `example.org`.
    public var relyingPartyID: String
    /// The challenge that was issued, from the relying party's own memory and never from the response.
    public var challenge: [UInt8]
    /// Whether that challenge may still be answered, here and now.
    public var challengeState: ChallengeState
    /// The origins a response may come from, in serialised form such as `https://example.org`; compared byte by byte.
    public var origins: [String]
    /// Whether a response may come from a frame inside a page of another origin.
    public var allowsCrossOrigin: Bool
    /// The origins of pages that may frame this relying party, compared byte by byte.
    public var topOrigins: [String]
    /// What the options said about user verification; only `required` is enforced.
    public var userVerification: UserVerificationRequirement
    /// What the relying party asks of backup eligibility and state.
    public var backup: BackupPolicy

    /// An expectation; framing is refused and backup ignored unless said otherwise.
    public init(
        relyingPartyID: String, challenge: [UInt8], challengeState: ChallengeState, origins: [String],
        allowsCrossOrigin: Bool = false, topOrigins: [String] = [], userVerification: UserVerificationRequirement,
        backup: BackupPolicy = BackupPolicy()
    ) {
        self.relyingPartyID = relyingPartyID
        self.challenge = challenge
        self.challengeState = challengeState
        self.origins = origins
        self.allowsCrossOrigin = allowsCrossOrigin
        self.topOrigins = topOrigins
        self.userVerification = userVerification
        self.backup = backup
    }
}

/// What became of a challenge between being issued and being answered (WebAuthn L3 §13.4.3).
public enum ChallengeState: String, Hashable, Sendable, Codable, CaseIterable {
    /// Issued to this session and user, not yet answered, not expired.
    case current
    /// Never issued, or forgotten.
    case unknown
    /// Already answered once.
    case used
    /// Answered too late.
    case expired
    /// Issued to another session.
    case otherSession
    /// Issued for another user.
    case otherUser
}

/// What a relying party asks of a credential's backup flags (WebAuthn L3 §6.1.3).
public struct BackupPolicy: Hashable, Sendable {
    /// What is asked of one flag.
    public enum Demand: String, Hashable, Sendable, CaseIterable {
        case any, required, forbidden

        func holds(for flag: Bool) -> Bool {
            self == .any || (self == .required) == flag
        }
    }

    /// What is asked of BE.
    public var eligibility: Demand
    /// What is asked of BS.
    public var state: Demand

    /// A policy; by default both flags may be anything.
    public init(eligibility: Demand = .any, state: Demand = .any) {
        self.eligibility = eligibility
        self.state = state
    }
}
