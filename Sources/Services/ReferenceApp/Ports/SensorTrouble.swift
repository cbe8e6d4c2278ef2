package import Causes

/// The reason the sensor did not verify the user, as far as the app tells them apart.
package enum SensorTrouble: Hashable, Sendable, CaseIterable {
    case noSensor
    case notEnrolled
    /// Switched off for the app or by an administrator.
    case off
    case blockedForNow
    case blocked
    case broken
    /// The sensor has a weaker class than the key demands.
    case tooWeak
    case needsPasscode
    case cancelled
    case attemptsUsed
    /// The enrolled templates changed, and the item was destroyed with them.
    case templatesChanged
    case itemMissing

    package init(_ cause: Cause) {
        self =
            switch cause {
            case .sensorAbsent: .noSensor
            case .strengthInsufficient: .tooWeak
            case .notEnrolled, .noDeviceCredential, .reEnrolRequired: .notEnrolled
            case .disabledByPolicy, .permissionDenied, .sensorPrivacy: .off
            case .lockedOutTimed: .blockedForNow
            case .lockedOutPermanently, .credentialLockedOutPermanently, .credentialLockedOutTimed: .blocked
            case .strongAuthenticationDue, .beforeFirstUnlock, .deviceLocked: .needsPasscode
            case .attemptsExhausted, .fallbackChosen, .wrongCredential: .attemptsUsed
            case .userCancelled, .systemCancelled, .appLeftScreen, .appCancelled, .confirmationDeclined,
                .powerPressed, .timedOut, .appInBackground:
                .cancelled
            case .keyInvalidated: .templatesChanged
            case .itemMissing: .itemMissing
            default: .broken
            }
    }

    var message: AppMessage {
        switch self {
        case .noSensor: .noSensor
        case .notEnrolled: .noTemplate
        case .off: .sensorOff
        case .blockedForNow: .sensorBlockedForNow
        case .blocked: .sensorBlocked
        case .broken: .sensorBroken
        case .tooWeak: .sensorTooWeak
        case .needsPasscode: .passcodeNeeded
        case .cancelled: .promptCancelled
        case .attemptsUsed: .tooManyAttempts
        case .templatesChanged, .itemMissing: .templatesChanged
        }
    }
}
