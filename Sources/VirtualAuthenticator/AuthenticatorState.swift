internal import Biometrics
internal import CTAP

/// What changes while a device lives.
struct AuthenticatorState: Sendable {
    /// Survives power loss.
    var credentials = CredentialStore()
    var pin: ClientPINState
    var alwaysUV: Bool?
    var globalCounter: UInt32 = 0
    /// The key non-discoverable credentials are sealed under; a reset replaces it, which ends them all.
    var sealingKey: [UInt8]
    /// Sensor, enrolled templates and lockouts; nil for a device without built-in user verification.
    var gate: UserVerificationGate?

    /// Goes with the power.
    var poweredUpAt: Duration
    var tokens: [PINUVAuthProtocol: PINUVAuthToken] = [:]
    var keyAgreementKeys: [PINUVAuthProtocol: KeyAgreementKey] = [:]
    var pendingAssertions: PendingAssertions?
}

/// The client PIN (CTAP 2.3 §6.5.3).
struct ClientPINState: Sendable {
    /// LEFT(SHA-256(PIN), 16); nil while no PIN is set.
    var hash: [UInt8]?
    var retries: Int
    var minimumLength: Int
    /// Whether the PIN must be changed before it gives a token again.
    var mustChange = false
    /// Mismatches since power-up or the last match; three of them block until the power is cycled.
    var consecutiveMismatches = 0

    static let softBlockLimit = 3

    var isSet: Bool { hash != nil }
    var isBlocked: Bool { isSet && retries == 0 }
    var isSoftBlocked: Bool { consecutiveMismatches >= Self.softBlockLimit }
}

/// Assertions that authenticatorGetNextAssertion has yet to hand out (CTAP 2.3 §6.3).
struct PendingAssertions: Sendable {
    var credentials: [StoredCredential]
    let clientDataHash: [UInt8]
    let userPresent: Bool
    let userVerified: Bool
    /// When the last answer of the run was given; thirty seconds later the rest is gone.
    var lastAnswerAt: Duration

    static let lifetime = Duration.seconds(30)
}
