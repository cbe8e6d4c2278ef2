/// The availability of a sensor, apart from its templates.
public enum SensorAvailability: String, Codable, CaseIterable, Sendable {
    /// The sensor works.
    case present
    /// The sensor does not exist.
    case absent
    /// Another process uses the sensor.
    case busy
    /// The sensor is broken or reported an error.
    case failed
    /// An administrator or a setting forbids the sensor.
    case disabledByPolicy
    /// The accessory with the sensor is out of reach: a keyboard with Touch ID, a closed lid.
    case disconnected
    /// The accessory with the sensor is not paired.
    case notPaired
    /// The user has not given the app permission.
    case permissionDenied
    /// The sensor has a flaw and is blocked until the system is updated.
    case securityUpdateRequired
    /// The user has switched the device's sensors off.
    case privacyEnabled
    /// The system reports a status unknown to the app.
    case unrecognized
}
