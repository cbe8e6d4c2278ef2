public import Foundation

/// The outcome of an attempt to unlock the session.
public enum UnlockOutcome: Equatable, Sendable {
    /// The session is open.
    case unlocked(token: Data)
    /// The face or finger did not match; the user may try again.
    case again(triesLeft: Int)
    /// The user pressed Cancel; the app waits for the user's next step.
    case cancelled
    /// The system or another app ended the prompt; the app asks again when it is back on the screen.
    case interrupted
    /// The user must sign in another way.
    case otherWays(UnlockObstacle)
}

/// The reason why a face or a finger does not unlock the session.
public enum UnlockObstacle: Error, Equatable, Sendable {
    /// The unlock is off.
    case off
    /// The user pressed the button for other ways.
    case userChoice
    /// Three prompts failed.
    case tooManyTries
    /// The system refuses the sensor until the device's passcode is entered.
    case lockedOut
    /// The enrolled faces or fingers have changed since the user switched the unlock on.
    case changed
    /// The user has enrolled no face or finger.
    case notEnrolled
    /// The user does not allow the app to use Face ID.
    case notAllowed
    /// The device has no sensor, or it is broken.
    case noSensor
    /// The device has no passcode.
    case noPasscode
    /// The secret could not be stored or read.
    case storage(TokenVault.Problem)

    /// The text for the user, with the name of the sensor.
    public func explanation(sensor: String) -> String {
        switch self {
        case .off, .userChoice: "Choose how to sign in."
        case .tooManyTries: "\(sensor) did not recognise you. Sign in another way."
        case .lockedOut: "\(sensor) is locked. Lock your device and enter its passcode, or sign in another way."
        case .changed: "\(sensor) has changed on this device. Sign in to use it again."
        case .notEnrolled: "\(sensor) is not set up. Set it up in Settings, or sign in another way."
        case .notAllowed: "This app may not use \(sensor). Allow it in Settings, or sign in another way."
        case .noSensor: "\(sensor) is not available. Sign in another way."
        case .noPasscode: "This device has no passcode. Set one in Settings, or sign in another way."
        case .storage: "Your session could not be opened. Sign in another way."
        }
    }
}
