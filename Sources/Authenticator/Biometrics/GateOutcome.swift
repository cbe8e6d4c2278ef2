/// How a prompt ended.
public enum GateOutcome: Hashable, Codable, Sendable {
    /// The person is who the device knows.
    case verified(method: VerificationMethod)
    /// They are not, or did not get to show it.
    case failed(GateFailure)

    /// A name that stays the same between versions, such as `verified.biometric` or `lockedOut.timed`.
    public var label: String {
        switch self {
        case .verified(.biometric): "verified.biometric"
        case .verified(.deviceCredential): "verified.deviceCredential"
        case .failed(let failure): failure.label
        }
    }
}

/// What a person was verified by.
public enum VerificationMethod: Hashable, Codable, Sendable {
    /// A sample that matched this template.
    case biometric(BiometricModality, templateID: [UInt8])
    /// The device's passcode, PIN, pattern or password.
    case deviceCredential
}

/// Why a prompt that was up ended without verification.
public enum GateFailure: Error, Hashable, Codable, Sendable {
    /// The prompt's own limit of failed attempts is reached; the sensor stays open.
    case attemptsExhausted
    /// This failure closed the sensor until the given time.
    case lockedOut(until: Duration)
    /// This failure closed the sensor until the device credential is entered or the retries are refilled.
    case lockedOutPermanently
    /// The device credential was entered wrongly as often as the prompt lets it.
    case wrongCredential
    /// This wrong entry of the device credential keeps it from being entered until the given time.
    case credentialLockedOut(until: Duration)
    /// This wrong entry of the device credential was the last.
    case credentialLockedOutPermanently
    /// The device credential was removed while the prompt asked for it.
    case noDeviceCredential
    /// The person closed the prompt.
    case userCancelled
    /// The system took the screen.
    case systemCancelled
    /// The app withdrew its question.
    case appCancelled
    /// The person took the way out, and nothing can stand in.
    case fallbackChosen
    /// The person did not confirm the match.
    case confirmationDeclined
    /// The person pressed the power button, and the sensor in it heard of that.
    case powerPressed
    /// Nobody answered in time.
    case timedOut
    /// The sensor went away.
    case sensorAbsent
    /// Something else took the sensor.
    case sensorBusy
    /// The sensor broke.
    case sensorFailed
    /// The sensor was forbidden.
    case disabledByPolicy
    /// The accessory with the sensor went out of reach.
    case sensorDisconnected
    /// The accessory with the sensor is not paired any more.
    case sensorNotPaired
    /// The app lost the permission.
    case permissionDenied
    /// The sensor was shut until the system is updated.
    case securityUpdateRequired
    /// The person has switched the device's sensors off.
    case sensorPrivacy
    /// The sensor could not make sense of what it saw.
    case unableToProcess
    /// The sensor had no memory left.
    case noSpace
    /// The sensor gave an error of its maker's own.
    case vendorError
    /// What is enrolled cannot be used any more.
    case reEnrolRequired
    /// The system, or the sensor, gave a reason that is not known here.
    case unknownError
    /// All sensors that are left are weaker than what was asked for.
    case strengthInsufficient
    /// The last template was removed.
    case notEnrolled
    /// The device credential fell due.
    case strongAuthenticationDue(StrongAuthenticationReason)

    /// A name that stays the same between versions, such as `lockedOut.timed`.
    public var label: String {
        switch self {
        case .attemptsExhausted: "attemptsExhausted"
        case .lockedOut: "lockedOut.timed"
        case .lockedOutPermanently: "lockedOut.permanent"
        case .wrongCredential: "wrongCredential"
        case .credentialLockedOut: "credentialLockedOut.timed"
        case .credentialLockedOutPermanently: "credentialLockedOut.permanent"
        case .noDeviceCredential: "noDeviceCredential"
        case .userCancelled: "userCancelled"
        case .systemCancelled: "systemCancelled"
        case .appCancelled: "appCancelled"
        case .fallbackChosen: "fallbackChosen"
        case .confirmationDeclined: "confirmationDeclined"
        case .powerPressed: "powerPressed"
        case .timedOut: "timedOut"
        case .sensorAbsent: "sensorAbsent"
        case .sensorBusy: "sensorBusy"
        case .sensorFailed: "sensorFailed"
        case .disabledByPolicy: "disabledByPolicy"
        case .sensorDisconnected: "sensorDisconnected"
        case .sensorNotPaired: "sensorNotPaired"
        case .permissionDenied: "permissionDenied"
        case .securityUpdateRequired: "securityUpdateRequired"
        case .sensorPrivacy: "sensorPrivacy"
        case .unableToProcess: "unableToProcess"
        case .noSpace: "noSpace"
        case .vendorError: "vendorError"
        case .reEnrolRequired: "reEnrolRequired"
        case .unknownError: "unknownError"
        case .strengthInsufficient: "strengthInsufficient"
        case .notEnrolled: "notEnrolled"
        case .strongAuthenticationDue: "strongAuthDue"
        }
    }
}

extension SensorError {
    var failure: GateFailure {
        switch self {
        case .unableToProcess: .unableToProcess
        case .vendor: .vendorError
        case .noSpace: .noSpace
        case .reEnrolRequired: .reEnrolRequired
        case .hardwareUnavailable: .sensorFailed
        case .unknown: .unknownError
        }
    }
}
