/// The shape of `ASAuthorizationProvider`: it creates requests of one kind.
public protocol SimulatedASAuthorizationProvider: AnyObject, Sendable {}

/// The shape of `ASAuthorizationRequest`: a request for a controller.
///
/// A controller reads the properties when it performs the request.
public class SimulatedASAuthorizationRequest {
    /// The provider that created the request.
    public let provider: any SimulatedASAuthorizationProvider

    init(provider: any SimulatedASAuthorizationProvider) { self.provider = provider }

    /// The request as the phone performs it; nil for a kind that it does not know.
    func kind() -> AuthorizationKind? { nil }
}
