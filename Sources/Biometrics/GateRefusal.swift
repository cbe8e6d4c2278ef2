/// Why a prompt did not come up at all.
public enum GateRefusal: Error, Hashable, Codable, Sendable {
    /// There is no sensor.
    case sensorAbsent
    /// Something else is using the sensor.
    case sensorBusy
    /// The sensor is broken.
    case sensorFailed
    /// The sensor may not be used.
    case disabledByPolicy
    /// Nobody is enrolled.
    case notEnrolled
    /// No device credential is set, and nothing else could verify the person.
    case noDeviceCredential
    /// The sensor is closed until the given time.
    case lockedOut(until: Duration)
    /// The sensor is closed until the device credential is entered or the retries are refilled.
    case lockedOutPermanently
    /// Another prompt is up.
    case promptInProgress

    /// A name that stays the same between versions, such as `lockedOut.permanent`.
    public var label: String {
        switch self {
        case .sensorAbsent: "sensorAbsent"
        case .sensorBusy: "sensorBusy"
        case .sensorFailed: "sensorFailed"
        case .disabledByPolicy: "disabledByPolicy"
        case .notEnrolled: "notEnrolled"
        case .noDeviceCredential: "noDeviceCredential"
        case .lockedOut: "lockedOut.timed"
        case .lockedOutPermanently: "lockedOut.permanent"
        case .promptInProgress: "promptInProgress"
        }
    }
}
