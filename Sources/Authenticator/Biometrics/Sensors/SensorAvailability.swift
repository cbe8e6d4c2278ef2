/// Whether a sensor can be used at this moment, apart from its templates.
public enum SensorAvailability: String, Codable, CaseIterable, Sendable {
    /// It works.
    case present
    /// There is none, and never was.
    case absent
    /// Something else is using it.
    case busy
    /// It is broken, or answered with an error.
    case failed
    /// An administrator or a setting forbids its use.
    case disabledByPolicy
    /// It is an accessory, and out of reach: a keyboard with Touch ID, a lid that is closed over it.
    case disconnected
    /// It is an accessory that was never paired.
    case notPaired
    /// The user did not give the app the permission.
    case permissionDenied
    /// A flaw was found in it; it stays shut until the system is updated.
    case securityUpdateRequired
    /// The user has switched the device's sensors off.
    case privacyEnabled
    /// The system says something about it that came after the app was written.
    case unrecognized
}
