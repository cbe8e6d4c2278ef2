internal import Mutations

/// Behaviours of the gate that a mutation run switches off.
package enum GateMutation: String, Mutation {
    package static let room = "gate"

    /// A failed attempt counts.
    case failureCount
    /// Failures impose a timed lockout.
    case timedLockout
    /// A timed lockout ends.
    case lockoutEnd
    /// The last allowed failure locks the sensor permanently.
    case permanentLockout
    /// A success clears the failures.
    case successClearsFailures
    /// A locked sensor takes no sample.
    case lockoutObstacle
    /// A sensor without a template is refused.
    case enrolmentObstacle
    /// A restart asks for the device credential first.
    case restartNeedsCredential
    /// A prompt without an answer is reported as timed out.
    case promptTimeout
    /// A prompt ends at its limit of attempts.
    case promptLimit
    /// A prompt ends when its app leaves the screen.
    case screenLoss
    /// A sensor that is not available is refused.
    case sensorAvailability
    /// A new template changes the binding of keys.
    case bindingRenewal
    /// A prompt goes on with the device credential.
    case credentialFallback
    /// A wrong device credential is refused.
    case credentialCheck
    /// A bad capture is no failure.
    case badCapture
}
