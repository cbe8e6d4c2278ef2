internal import CTAP
internal import WebAuthn

/// A pinUvAuthToken with its permissions and timers (CTAP 2.3 §6.5.2.1).
struct PINUVAuthToken: Sendable {
    let bytes: [UInt8]
    private var permissions: PINUVAuthTokenPermissions
    /// Whether it covers the preview of credential management, whose clients have no permissions: it is getPinToken's.
    private var coversPreview: Bool
    /// The RP ID it is bound to; a token without one is bound by its first use.
    var relyingPartyID: String?
    private let startedAt: Duration
    private let firstUseLimit: Duration
    private var isInUse = true
    private var wasUsed = false
    private var userVerified = true
    private var userPresent: Bool

    /// The time limit for the first use (initial usage time limit), and the time for which the user counts as present after
    /// verification (user present time limit), over a transport.
    static func firstUseLimit(over transport: AuthenticatorTransport?) -> Duration {
        transport == .nfc ? .milliseconds(19_800) : .seconds(30)
    }
    /// The longest life of a token (max usage time period).
    static let maximumLifetime = Duration.seconds(600)

    /// beginUsingPinUvAuthToken, with fresh bytes, for a request over a transport.
    init(
        bytes: [UInt8], permissions: PINUVAuthTokenPermissions, coversPreview: Bool, relyingPartyID: String?,
        userIsPresent: Bool, over transport: AuthenticatorTransport?, at now: Duration
    ) {
        (self.bytes, self.permissions, self.coversPreview) = (bytes, permissions, coversPreview)
        self.relyingPartyID = relyingPartyID
        startedAt = now
        firstUseLimit = Self.firstUseLimit(over: transport)
        userPresent = userIsPresent
    }

    /// Verifies a message's code; a match counts as a use.
    mutating func verify(
        _ code: [UInt8], over message: [UInt8], protocol pinProtocol: PINUVAuthProtocol, at now: Duration
    ) -> Bool {
        observe(at: now)
        guard isInUse, pinProtocol.verify(code, over: message, key: bytes) else { return false }
        wasUsed = true
        return true
    }

    mutating func isInUse(at now: Duration) -> Bool {
        observe(at: now)
        return isInUse
    }

    func permits(_ permission: PINUVAuthTokenPermissions, in command: CTAPCommand) -> Bool {
        permissions.contains(permission) || (coversPreview && command == .credentialManagementPreview)
    }

    /// getUserVerifiedFlagValue.
    func isUserVerified() -> Bool { isInUse && userVerified }

    /// getUserPresentFlagValue.
    func isUserPresent(at now: Duration) -> Bool { isInUse && userPresent && now - startedAt <= firstUseLimit }

    /// clearUserPresentFlag, clearUserVerifiedFlag and clearPinUvAuthTokenPermissionsExceptLbw.
    mutating func clearAfterUserPresence() {
        userPresent = false
        userVerified = false
        coversPreview = false
        permissions.formIntersection(.largeBlobWrite)
    }

    /// pinUvAuthTokenUsageTimerObserver: a token ends when it is unused or used for too long.
    private mutating func observe(at now: Duration) {
        let age = now - startedAt
        if !wasUsed, age > firstUseLimit { isInUse = false }
        if age > Self.maximumLifetime { isInUse = false }
    }
}
