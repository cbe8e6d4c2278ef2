public import CTAP
public import WebAuthn

/// Everything a client takes from outside: chance, time, and the person at the screen.
///
/// The client itself never sleeps. The deadline of a call is enforced twice: on ``now`` before and after each command
/// and each question to the person, which is all that simulated time needs; and by ``alarm``, when there is one, which
/// interrupts a command or a question that is still waiting.
public struct ClientEnvironment: Sendable {
    /// Returns that many random bytes, for key agreement and initialisation vectors.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// The time since the Unix epoch; only differences matter.
    public var now: @Sendable () -> Duration
    /// Returns when this much time has passed, or as soon as its task is cancelled; nil leaves only ``now``.
    public var alarm: (@Sendable (Duration) async -> Void)?
    /// The timeout of a call whose options name none; WebAuthn L3 §15.1 recommends five minutes.
    public var defaultTimeout: Duration = .seconds(300)
    /// Asks the person for the device's PIN.
    public var enterPIN: @Sendable (PINPrompt) async -> PINEntry = { _ in .cancelled }
    /// Asks the person for one of several accounts: an index into the list, or nil to give up.
    public var chooseAccount: @Sendable ([Account]) async -> Int? = { _ in 0 }
    /// Asks the person whether the relying party with this ID may learn the device's make; a no turns the attestation
    /// into `none`.
    public var consentToAttestation: @Sendable (String) async -> Bool = { _ in true }
    /// Whether malformed authenticator data reaches the page, as no browser would let it: for trying out what a
    /// relying party makes of a broken or dishonest authenticator.
    public var passesMalformedData = false
    /// Whether client data of a frame names the top-level page's origin, which clients before WebAuthn Level 3 do not.
    public var tellsTopOrigin = true
    /// Members of client data beyond those the specification names, as clients may add them (WebAuthn L3 §5.8.1).
    public var additionalClientData: [CollectedClientData.AdditionalMember] = []
    /// Hears when the device computes or waits for its person.
    public var onKeepalive: @Sendable (KeepaliveStatus) -> Void = { _ in }

    /// An environment whose person types no PIN, takes the first account and consents to attestation.
    public init(
        randomBytes: @escaping @Sendable (Int) -> [UInt8], now: @escaping @Sendable () -> Duration,
        alarm: (@Sendable (Duration) async -> Void)? = nil
    ) {
        self.randomBytes = randomBytes
        self.now = now
        self.alarm = alarm
    }
}

/// What the client tells the person when it asks for the PIN.
public struct PINPrompt: Hashable, Sendable {
    /// Why a PIN is asked for.
    public enum Reason: Hashable, Sendable {
        /// User verification is due, and a PIN is the way to do it.
        case required
        /// Built-in user verification is blocked until a PIN is entered.
        case builtInBlocked
        /// Built-in user verification failed as often as the device wants it tried.
        case builtInFailed
        /// The PIN entered last was wrong.
        case wrongPIN
    }

    /// Why.
    public let reason: Reason
    /// Wrong PINs left until only a reset helps.
    public let retriesLeft: Int
    /// Whether the device takes no PIN until it has been unplugged and plugged in again.
    public let powerCycleNeeded: Bool

    package init(reason: Reason, retriesLeft: Int, powerCycleNeeded: Bool) {
        self.reason = reason
        self.retriesLeft = retriesLeft
        self.powerCycleNeeded = powerCycleNeeded
    }
}

/// What the person answers to a ``PINPrompt``.
public enum PINEntry: Hashable, Sendable {
    /// A PIN; the client normalises it.
    case pin(String)
    /// The person gave up.
    case cancelled
}

/// One of several discoverable credentials, as shown to the person.
public struct Account: Hashable, Sendable {
    /// The credential's ID.
    public let credentialID: [UInt8]
    /// The user handle.
    public let userHandle: [UInt8]?
    /// The account's name; devices give it only after user verification.
    public let name: String?
    /// The name the user would call themself.
    public let displayName: String?

    package init(credentialID: [UInt8], userHandle: [UInt8]?, name: String?, displayName: String?) {
        self.credentialID = credentialID
        self.userHandle = userHandle
        self.name = name
        self.displayName = displayName
    }
}
