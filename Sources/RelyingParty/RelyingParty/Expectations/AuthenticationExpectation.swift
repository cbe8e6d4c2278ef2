/// What a relying party expects of an authentication's response.
public struct AuthenticationExpectation: Hashable, Sendable {
    /// What it expects of any response.
    public var ceremony: CeremonyExpectation
    /// The credential IDs it sent in `allowCredentials`; empty when it sent none.
    public var allowedCredentials: [[UInt8]]
    /// Whether it knew the user before the ceremony.
    public var user: ExpectedUser
    /// What it does when the counter did not go up.
    public var counterPolicy: CounterPolicy
    /// Whether another factor, as strong as user verification, allows `uvInitialized` to be raised now.
    public var authorizesUVInitialization: Bool

    /// An expectation; a counter that did not go up is refused unless said otherwise.
    public init(
        ceremony: CeremonyExpectation, allowedCredentials: [[UInt8]] = [], user: ExpectedUser,
        counterPolicy: CounterPolicy = .reject, authorizesUVInitialization: Bool = false
    ) {
        self.ceremony = ceremony
        self.allowedCredentials = allowedCredentials
        self.user = user
        self.counterPolicy = counterPolicy
        self.authorizesUVInitialization = authorizesUVInitialization
    }
}

/// Whether the user was identified before the ceremony (WebAuthn L3 §7.2 step 6).
public enum ExpectedUser: Hashable, Sendable {
    /// By name, cookie or first factor; the user's handle.
    case known([UInt8])
    /// Not at all: the response must say who it is.
    case unknown
}

/// What a relying party does when a signature counter did not go up (WebAuthn L3 §6.1.1, §7.2 step 22).
public enum CounterPolicy: String, Hashable, Sendable, CaseIterable {
    /// Refuse the response.
    case reject
    /// Accept it and flag the step, so that the relying party can look into a possible clone.
    case flag
}
