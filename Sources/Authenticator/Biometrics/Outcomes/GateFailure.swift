public import Causes

/// The reason a gate did not verify the user: a refusal before a prompt opens, or the end of one.
public enum GateFailure: CausedError, Hashable, Codable, Sendable {
    /// The prompt reached its limit of failed attempts; the sensor stays unlocked.
    case attemptsExhausted
    /// Failed attempts have locked the sensor until the given time.
    case lockedOut(until: Duration)
    /// The sensor is locked until the device credential is entered or the retries are refilled.
    case lockedOutPermanently
    /// The prompt reached its limit of wrong device credentials.
    case wrongCredential
    /// Wrong entries have locked the device credential until the given time.
    case credentialLockedOut(until: Duration)
    /// Wrong entries have locked the device credential permanently.
    case credentialLockedOutPermanently
    /// Wrong entries have disabled the device credential until the device is restarted.
    case credentialNeedsRestart
    /// No device credential is set, and nothing else can verify the user.
    case noDeviceCredential
    /// The user cancelled the prompt.
    case userCancelled
    /// The system took the screen.
    case systemCancelled
    /// The prompt's app left the screen.
    case appLeftScreen
    /// The app withdrew its request.
    case appCancelled
    /// The user chose the fallback, and the device credential is not allowed or not set.
    case fallbackChosen
    /// The user did not confirm the match.
    case confirmationDeclined
    /// The user pressed the power button with the fingerprint sensor in it.
    case powerPressed
    /// The user did not answer in time.
    case timedOut
    /// The device has no sensor.
    case sensorAbsent
    /// Another process uses the sensor.
    case sensorBusy
    /// The sensor is broken.
    case sensorFailed
    /// An administrator or a setting forbids the sensor.
    case disabledByPolicy
    /// The accessory with the sensor is out of reach.
    case sensorDisconnected
    /// The accessory with the sensor is not paired.
    case sensorNotPaired
    /// The app may not use the sensor.
    case permissionDenied
    /// The sensor is blocked until the system is updated.
    case securityUpdateRequired
    /// The user has switched the device's sensors off.
    case sensorPrivacy
    /// The sensor could not process the sample.
    case unableToProcess
    /// The sensor has no memory left.
    case noSpace
    /// The sensor reported an error of its vendor.
    case vendorError
    /// The enrolled templates are no longer usable.
    case reEnrolRequired
    /// The system or the sensor reported an unknown error.
    case unknownError
    /// All sensors are weaker than the requested class.
    case strengthInsufficient
    /// No template is enrolled.
    case notEnrolled
    /// The device credential must be entered before biometrics are accepted again.
    case strongAuthenticationDue(StrongAuthenticationReason)
    /// Another prompt is open.
    case promptInProgress

    /// The cause, such as `lockedOut.timed`.
    public var cause: Cause {
        switch self {
        case .attemptsExhausted: .attemptsExhausted
        case .lockedOut: .lockedOutTimed
        case .lockedOutPermanently: .lockedOutPermanently
        case .wrongCredential: .wrongCredential
        case .credentialLockedOut: .credentialLockedOutTimed
        case .credentialLockedOutPermanently: .credentialLockedOutPermanently
        case .credentialNeedsRestart: .credentialNeedsRestart
        case .noDeviceCredential: .noDeviceCredential
        case .userCancelled: .userCancelled
        case .systemCancelled: .systemCancelled
        case .appLeftScreen: .appLeftScreen
        case .appCancelled: .appCancelled
        case .fallbackChosen: .fallbackChosen
        case .confirmationDeclined: .confirmationDeclined
        case .powerPressed: .powerPressed
        case .timedOut: .timedOut
        case .sensorAbsent: .sensorAbsent
        case .sensorBusy: .sensorBusy
        case .sensorFailed: .sensorFailed
        case .disabledByPolicy: .disabledByPolicy
        case .sensorDisconnected: .sensorDisconnected
        case .sensorNotPaired: .sensorNotPaired
        case .permissionDenied: .permissionDenied
        case .securityUpdateRequired: .securityUpdateRequired
        case .sensorPrivacy: .sensorPrivacy
        case .unableToProcess: .unableToProcess
        case .noSpace: .noSpace
        case .vendorError: .vendorError
        case .reEnrolRequired: .reEnrolRequired
        case .unknownError: .unknownError
        case .strengthInsufficient: .strengthInsufficient
        case .notEnrolled: .notEnrolled
        case .strongAuthenticationDue: .strongAuthenticationDue
        case .promptInProgress: .promptInProgress
        }
    }
}

extension GateFailure {
    init?(_ lockout: Lockout) {
        switch lockout {
        case .none: return nil
        case .timed(let until): self = .lockedOut(until: until)
        case .permanent, .exhausted: self = .lockedOutPermanently
        }
    }

    init?(_ availability: SensorAvailability) {
        switch availability {
        case .present: return nil
        case .busy: self = .sensorBusy
        case .failed: self = .sensorFailed
        case .disconnected: self = .sensorDisconnected
        case .privacyEnabled: self = .sensorPrivacy
        case .permissionDenied: self = .permissionDenied
        case .securityUpdateRequired: self = .securityUpdateRequired
        case .unrecognized: self = .unknownError
        case .disabledByPolicy: self = .disabledByPolicy
        case .notPaired: self = .sensorNotPaired
        case .absent: self = .sensorAbsent
        }
    }

    init(_ error: SensorError) {
        switch error {
        case .unableToProcess: self = .unableToProcess
        case .vendor: self = .vendorError
        case .noSpace: self = .noSpace
        case .reEnrolRequired: self = .reEnrolRequired
        case .hardwareUnavailable: self = .sensorFailed
        case .unknown: self = .unknownError
        }
    }

    /// The distance from verification; of several sensors' obstacles, the gate reports the lowest.
    var severity: Int {
        switch self {
        case .lockedOut, .credentialLockedOut: 0
        case .lockedOutPermanently, .credentialLockedOutPermanently, .credentialNeedsRestart: 1
        case .strongAuthenticationDue: 2
        case .sensorBusy: 3
        case .notEnrolled, .noDeviceCredential: 5
        case .sensorNotPaired, .strengthInsufficient: 6
        case .sensorAbsent: 7
        default: 4
        }
    }
}
