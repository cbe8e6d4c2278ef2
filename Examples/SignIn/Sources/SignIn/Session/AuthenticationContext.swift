public import Foundation

#if SIMULATED_PHONE
public import SimulatedAppleNames
#else
public import LocalAuthentication
#endif

/// The calls of `LAContext` that the app makes.
public protocol AuthenticationContext: AnyObject {
    /// The kind of the sensor; `none` before a check.
    var biometryType: LABiometryType { get }
    /// The state of the enrolled faces and fingers; nil before a successful check or verification.
    var evaluatedPolicyDomainState: Data? { get }
    /// The title of the fallback button.
    var localizedFallbackTitle: String? { get set }
    /// Checks whether a verification is possible.
    func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
    /// Verifies the user.
    func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void)
    /// Invalidates the context, which ends its open prompt.
    func invalidate()
}

extension LAContext: AuthenticationContext {}
