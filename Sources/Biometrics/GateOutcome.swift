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
    /// The last template was removed.
    case notEnrolled

    /// A name that stays the same between versions, such as `lockedOut.timed`.
    public var label: String {
        switch self {
        case .attemptsExhausted: "attemptsExhausted"
        case .lockedOut: "lockedOut.timed"
        case .lockedOutPermanently: "lockedOut.permanent"
        case .wrongCredential: "wrongCredential"
        case .noDeviceCredential: "noDeviceCredential"
        case .userCancelled: "userCancelled"
        case .systemCancelled: "systemCancelled"
        case .appCancelled: "appCancelled"
        case .fallbackChosen: "fallbackChosen"
        case .timedOut: "timedOut"
        case .sensorAbsent: "sensorAbsent"
        case .sensorBusy: "sensorBusy"
        case .sensorFailed: "sensorFailed"
        case .disabledByPolicy: "disabledByPolicy"
        case .notEnrolled: "notEnrolled"
        }
    }
}
