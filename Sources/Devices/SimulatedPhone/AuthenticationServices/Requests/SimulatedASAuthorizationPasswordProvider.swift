/// The shape of `ASAuthorizationPasswordProvider`: it creates requests for a saved password.
///
/// A test saves a password with ``Phone/savePassword(_:account:for:)``.
public final class SimulatedASAuthorizationPasswordProvider: SimulatedASAuthorizationProvider {
    /// A provider.
    public init() {}

    /// A request for a saved password of a domain with which the app is associated.
    public func createRequest() -> SimulatedASAuthorizationPasswordRequest {
        SimulatedASAuthorizationPasswordRequest(provider: self)
    }
}

/// The shape of `ASAuthorizationPasswordRequest`: a request for a saved password.
public final class SimulatedASAuthorizationPasswordRequest: SimulatedASAuthorizationRequest {
    override func kind() -> AuthorizationKind? { .password }
}

/// The shape of `ASPasswordCredential`: a saved password.
public final class SimulatedASPasswordCredential: SimulatedASAuthorizationCredential {
    /// The account's name.
    public let user: String
    /// The password.
    public let password: String

    /// A password of an account.
    public init(user: String, password: String) { (self.user, self.password) = (user, password) }
}
