/// A relying party's expectations of an authentication's response.
public struct AuthenticationExpectation: Hashable, Sendable {
    /// The expectations of any response.
    public var ceremony: CeremonyExpectation
    /// The credential IDs sent in `allowCredentials`; empty when none were sent.
    public var allowedCredentials: [[UInt8]]
    /// Whether the user is known before the ceremony.
    public var user: ExpectedUser
    /// The reaction to a counter that did not increase.
    public var counterPolicy: CounterPolicy
    /// The app ID sent in the `appid` extension, such as `https://example.org/app-id.json`; nil when none was sent.
    ///
    /// A credential of the old U2F API is scoped to it instead of to the RP ID (WebAuthn L3 §10.1.1).
    public var appID: String?
    /// Whether another factor, equivalent to user verification, authorises raising `uvInitialized`.
    public var authorizesUVInitialization: Bool

    /// Creates an expectation; default: a counter that did not increase is refused.
    public init(
        ceremony: CeremonyExpectation, allowedCredentials: [[UInt8]] = [], user: ExpectedUser,
        counterPolicy: CounterPolicy = .reject, appID: String? = nil, authorizesUVInitialization: Bool = false
    ) {
        (self.ceremony, self.allowedCredentials, self.user) = (ceremony, allowedCredentials, user)
        (self.counterPolicy, self.appID) = (counterPolicy, appID)
        self.authorizesUVInitialization = authorizesUVInitialization
    }
}

/// The user expected in an authentication (WebAuthn L3 §7.2 step 6).
public enum ExpectedUser: Hashable, Sendable {
    /// The user is identified before the ceremony, and has this user handle.
    case known([UInt8])
    /// The user is not identified before the ceremony; the response must contain a user handle.
    case unknown
}

/// The reaction to a signature counter that did not increase (WebAuthn L3 §6.1.1, §7.2 step 22).
public enum CounterPolicy: String, Hashable, Sendable, CaseIterable {
    /// Refuse the response.
    case reject
    /// Accept the response and flag the step, as a sign of a possible clone.
    case flag
}
