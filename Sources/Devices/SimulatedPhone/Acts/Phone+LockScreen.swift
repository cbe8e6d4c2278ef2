public import Biometrics

/// The means with which the user unlocks the screen.
public enum UnlockMeans: Hashable, Sendable {
    /// The correct passcode, which also clears lockouts; a swipe on a phone without a passcode.
    case passcode
    /// A wrong passcode, which counts as a failed attempt.
    case wrongPasscode
    /// A face or a finger.
    case biometrics
}

/// The lock screen, the power and the network.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Locks the screen; an open prompt ends.
    public func lock() throws { try perform("lock") }

    /// Unlocks the screen; a wrong passcode throws a refusal with its cause.
    public func unlock(_ means: UnlockMeans = .passcode) throws {
        switch means {
        case .passcode: try perform("unlock")
        case .wrongPasscode: try perform("unlock", ["passcode": "wrong"])
        case .biometrics: try perform("unlock", ["by": "biometrics"])
        }
    }

    /// Restarts the phone; it is then locked, and its apps are stopped.
    public func reboot() throws { try perform("reboot") }

    /// Cuts the power and restores it; the lock state of the screen stays the same.
    public func cyclePower() throws { try perform("power-cycle") }

    /// Sets a passcode.
    public func setPasscode() throws { try perform("passcode", ["change": "set"]) }

    /// Removes the passcode; the phone then unlocks with a swipe.
    public func removePasscode() throws { try perform("passcode", ["change": "remove"]) }

    /// Resets the passcode without the old one, as an administrator does.
    public func forceResetPasscode() throws { try perform("passcode", ["change": "force-reset"]) }

    /// Refuses biometrics until the passcode is entered.
    ///
    /// - Parameter reason: a restart, a remote lock, or the emergency gesture. The phone refuses the other reasons,
    ///   which arise from time and failed attempts.
    public func requirePasscode(because reason: StrongAuthenticationReason = .remoteLock) throws {
        try perform("require-passcode", ["because": reason.word])
    }

    /// Switches airplane mode on or off.
    public func setAirplaneMode(_ isOn: Bool) throws { try perform("airplane-mode", ["state": isOn ? "on" : "off"]) }
}
