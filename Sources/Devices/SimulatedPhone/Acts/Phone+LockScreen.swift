public import Biometrics

/// The user's way past the lock screen.
public enum UnlockMeans: Hashable, Sendable {
    /// The right passcode, which also clears lockouts; a swipe without a passcode.
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

    /// Unlocks the screen; a wrong passcode is a refusal with its cause.
    public func unlock(_ means: UnlockMeans = .passcode) throws {
        switch means {
        case .passcode: try perform("unlock")
        case .wrongPasscode: try perform("unlock", ["passcode": "wrong"])
        case .biometrics: try perform("unlock", ["by": "biometrics"])
        }
    }

    /// Restarts the phone, which comes back locked, with its apps stopped.
    public func reboot() throws { try perform("reboot") }

    /// Cuts the power and restores it, as an empty battery does; the screen stays as it is.
    public func cyclePower() throws { try perform("power-cycle") }

    /// Sets a passcode.
    public func setPasscode() throws { try perform("passcode", ["change": "set"]) }

    /// Removes the passcode: the phone unlocks with a swipe.
    public func removePasscode() throws { try perform("passcode", ["change": "remove"]) }

    /// Resets the passcode, as an administrator does who does not know it.
    public func forceResetPasscode() throws { try perform("passcode", ["change": "force-reset"]) }

    /// Refuses biometrics until the passcode is entered.
    ///
    /// - Parameter reason: a restart, a remote lock, or the gesture for emergencies; the other reasons follow from time and
    ///   failures, so that a test waits for them.
    public func requirePasscode(because reason: StrongAuthenticationReason = .remoteLock) throws {
        try perform("require-passcode", ["because": reason.word])
    }

    /// Switches airplane mode on or off.
    public func setAirplaneMode(_ isOn: Bool) throws { try perform("airplane-mode", ["state": isOn ? "on" : "off"]) }
}
