internal import Biometrics
internal import CTAP

/// The changing state of a device.
struct AuthenticatorState: Sendable {
    /// Survives power loss.
    var credentials: CredentialStore
    var settings: DeviceSettings { didSet { hasUnsavedSettings = true } }
    /// The counter of a device with one counter for all its credentials.
    var globalCounter: UInt32 = 0
    var largeBlobs = SerializedLargeBlobArray.initial { didSet { hasUnsavedLargeBlobs = true } }
    var hasUnsavedSettings = true
    var hasUnsavedLargeBlobs = false
    /// Whether storage still holds the state before a reset or a restoration.
    var hasUnsavedErasure = false

    /// Lost with the power.
    var poweredUpAt: Duration
    var session = PowerSession()

    init(settings: DeviceSettings, in environment: Environment) {
        credentials = CredentialStore(tracksChanges: environment.storage != nil)
        self.settings = settings
        poweredUpAt = environment.time.now()
    }

    mutating func markSaved() {
        hasUnsavedSettings = false
        hasUnsavedLargeBlobs = false
        hasUnsavedErasure = false
        credentials.markSaved()
    }

    var pin: ClientPINState {
        get { settings.pin }
        _modify { yield &settings.pin }
    }
    var alwaysUV: Bool? {
        get { settings.alwaysUV }
        _modify { yield &settings.alwaysUV }
    }
    /// Ends the prompt at the gate: it ends with the power, and an open one would block the next one.
    @discardableResult
    mutating func endPrompt(at now: Duration) -> GateEvent? {
        guard gate?.stage ?? .idle != .idle else { return nil }
        return gate?.present(.cancelBySystem, at: now)
    }

    /// Sensor, enrolled templates and lockouts; nil for a device without built-in user verification.
    var gate: UserVerificationGate? {
        get { settings.gate }
        _modify { yield &settings.gate }
    }
}

/// The state that is lost with the power.
struct PowerSession: Sendable {
    var tokens: [PINUVAuthProtocol: PINUVAuthToken] = [:]
    var keyAgreementKeys: [PINUVAuthProtocol: KeyAgreementKey] = [:]
    var pendingAssertions: PendingAssertions?
    var pendingEnumerations = PendingEnumerations()
    var enrolment: PendingEnrolment?
    var largeBlobWrite: PendingLargeBlobWrite?
    /// Whether the tap of this power-up is used up.
    var isTapSpent = false
}

/// The assertions left for authenticatorGetNextAssertion (CTAP 2.3 §6.3).
struct PendingAssertions: Sendable {
    /// The IDs of the credentials, oldest first; the last one answers next.
    var ids: ArraySlice<[UInt8]>
    let terms: AssertionTerms
    /// The protocol of the request's token, if any.
    let token: PINUVAuthProtocol?
    /// The time of the last answer; thirty seconds later the rest is discarded.
    var lastAnswerAt: Duration

    static let lifetime = Duration.seconds(30)
}
