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
    /// The accessory with the sensor is out of reach.
    case sensorDisconnected
    /// The accessory with the sensor was never paired.
    case sensorNotPaired
    /// The app may not use the sensor.
    case permissionDenied
    /// The sensor stays shut until the system is updated.
    case securityUpdateRequired
    /// The person has switched the device's sensors off.
    case sensorPrivacy
    /// The system gives a reason that is not known here.
    case unknownError
    /// All sensors are weaker than what was asked for.
    case strengthInsufficient
    /// Nobody is enrolled.
    case notEnrolled
    /// No device credential is set, and nothing else could verify the person.
    case noDeviceCredential
    /// The sensor is closed until the given time.
    case lockedOut(until: Duration)
    /// The sensor is closed until the device credential is entered or the retries are refilled.
    case lockedOutPermanently
    /// Biometrics do not do until the device credential is entered.
    case strongAuthenticationDue(StrongAuthenticationReason)
    /// The device credential was entered wrongly too often, and cannot be entered until the given time.
    case credentialLockedOut(until: Duration)
    /// The device credential was entered wrongly too often, and cannot be entered any more.
    case credentialLockedOutPermanently
    /// Another prompt is up.
    case promptInProgress

    /// A name that stays the same between versions, such as `lockedOut.permanent`.
    public var label: String {
        switch self {
        case .promptInProgress: "promptInProgress"
        default: failure?.label ?? "unknownError"
        }
    }

    /// The same reason for a prompt that was up; `nil` where there is none.
    var failure: GateFailure? {
        switch self {
        case .sensorAbsent: .sensorAbsent
        case .sensorBusy: .sensorBusy
        case .sensorFailed: .sensorFailed
        case .disabledByPolicy: .disabledByPolicy
        case .sensorDisconnected: .sensorDisconnected
        case .sensorNotPaired: .sensorNotPaired
        case .permissionDenied: .permissionDenied
        case .securityUpdateRequired: .securityUpdateRequired
        case .sensorPrivacy: .sensorPrivacy
        case .unknownError: .unknownError
        case .strengthInsufficient: .strengthInsufficient
        case .notEnrolled: .notEnrolled
        case .noDeviceCredential: .noDeviceCredential
        case .lockedOut(let until): .lockedOut(until: until)
        case .lockedOutPermanently: .lockedOutPermanently
        case .strongAuthenticationDue(let reason): .strongAuthenticationDue(reason)
        case .credentialLockedOut(let until): .credentialLockedOut(until: until)
        case .credentialLockedOutPermanently: .credentialLockedOutPermanently
        case .promptInProgress: nil
        }
    }
}
