public import CTAP
public import WebAuthn

/// A client's environment: randomness, time and the user.
///
/// The client never sleeps. It enforces a call's deadline with ``now`` before and after each command and each question
/// to the user, which is sufficient for simulated time. With ``alarm`` it also interrupts a command or question.
public struct ClientEnvironment: Sendable {
    /// Returns this many random bytes, for key agreement and initialisation vectors.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// The time since the Unix epoch; only differences are used.
    public var now: @Sendable () -> Duration
    /// Returns after this much time, or as soon as its task is cancelled; nil for simulated time.
    public var alarm: (@Sendable (Duration) async -> Void)?
    /// The timeout for options without one; WebAuthn L3 §15.1 recommends five minutes.
    public var defaultTimeout: Duration = .seconds(300)
    /// Asks the user for the device's PIN.
    public var enterPIN: @Sendable (PINPrompt) async -> PINEntry = { _ in .cancelled }
    /// Asks the user to choose one of several accounts: an index into the list, or nil to cancel.
    public var chooseAccount: @Sendable ([Account]) async -> Int? = { _ in 0 }
    /// The ID of the passkey that the user picked before the request; the device is asked for no other one.
    package var pickedCredentialID: [UInt8]?
    /// Asks the user whether the relying party with this ID may learn the model; false makes the attestation `none`.
    public var consentToAttestation: @Sendable (String) async -> Bool = { _ in true }
    /// Whether malformed authenticator data reaches the page, for testing a relying party; browsers refuse such data.
    public var passesMalformedData = false
    /// Whether client data of a frame contains the top-level page's origin; clients before WebAuthn Level 3 omit it.
    public var includesTopOrigin = true
    /// Additional members of client data, which clients may add (WebAuthn L3 §5.8.1).
    public var additionalClientData: [CollectedClientData.AdditionalMember] = []
    /// The device as its platform reaches it, which makes credentials without the user; nil without conditional create.
    public var platformDevice: (any CTAPDevice)?
    /// Called when the device begins to process or to wait for the user.
    public var onKeepalive: @Sendable (KeepaliveStatus) -> Void = { _ in }

    /// Creates an environment whose user enters no PIN, chooses the first account and consents to attestation.
    public init(
        randomBytes: @escaping @Sendable (Int) -> [UInt8], now: @escaping @Sendable () -> Duration,
        alarm: (@Sendable (Duration) async -> Void)? = nil
    ) {
        self.randomBytes = randomBytes
        self.now = now
        self.alarm = alarm
    }
}

/// A request for the PIN.
public struct PINPrompt: Hashable, Sendable {
    /// The reasons for asking.
    public enum Reason: Hashable, Sendable {
        /// User verification requires the PIN.
        case required
        /// Built-in user verification is blocked until a PIN is entered.
        case builtInBlocked
        /// Built-in user verification failed as often as the device prefers.
        case builtInFailed
        /// The last PIN was wrong.
        case wrongPIN
    }

    /// The reason for asking.
    public let reason: Reason
    /// The number of wrong PINs left before the device needs a reset.
    public let retriesLeft: Int
    /// Whether the device accepts a PIN only after a power cycle.
    public let powerCycleNeeded: Bool

    package init(reason: Reason, retriesLeft: Int, powerCycleNeeded: Bool) {
        self.reason = reason
        self.retriesLeft = retriesLeft
        self.powerCycleNeeded = powerCycleNeeded
    }
}

/// The user's answer to a ``PINPrompt``.
public enum PINEntry: Hashable, Sendable {
    /// A PIN; the client normalises it.
    case pin(String)
    /// The user cancelled.
    case cancelled
}

/// One of several discoverable credentials, as shown to the user.
public struct Account: Hashable, Sendable {
    /// The relying party.
    public let relyingPartyID: String
    /// The credential's ID.
    public let credentialID: [UInt8]
    /// The user handle.
    public let userHandle: [UInt8]?
    /// The account's name; devices return it only after user verification.
    public let name: String?
    /// The user's display name.
    public let displayName: String?

    package init(
        relyingPartyID: String, credentialID: [UInt8], userHandle: [UInt8]?, name: String?, displayName: String?
    ) {
        self.relyingPartyID = relyingPartyID
        self.credentialID = credentialID
        self.userHandle = userHandle
        self.name = name
        self.displayName = displayName
    }
}
