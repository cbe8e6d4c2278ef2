package import Biometrics
package import SimulatedDevice

/// Something done to a simulated device from outside: by a scenario, from a terminal, over the control API.
///
/// What its person does at a prompt is a ``PersonAct``.
package enum DeviceAct: Hashable, Sendable {
    /// Somebody enrols another finger or face.
    case enrol(name: String, on: BiometricModality? = nil)
    /// Somebody enrols a finger or face in place of another, as setting a face up anew does.
    case replace(name: String, with: String, on: BiometricModality? = nil)
    /// Somebody removes an enrolled finger or face, or with nil everybody.
    case unenrol(name: String?)
    /// The sensor breaks, disappears or is repaired.
    case sensor(SensorAvailability, of: BiometricModality? = nil)
    /// A sensor, or with nil every one, closes for good, as if somebody had failed there often enough.
    case lockOut(BiometricModality?)
    /// The device wants its passcode before it takes a biometric again.
    case requireCredential(StrongAuthenticationReason)

    /// The screen is locked.
    case lock
    /// The person enters the device credential at the lock screen.
    case unlock(correctly: Bool)
    /// The person unlocks the screen with the sensor.
    case unlockByBiometrics
    /// Somebody sets, changes, removes or resets the passcode.
    case passcode(PasscodeChange)
    /// The power goes and comes back.
    case powerCycle
    /// A phone or computer is switched off and on.
    case reboot
    /// The network goes, or comes back.
    case airplaneMode(isOn: Bool)

    /// Something happens to an app.
    case app(AppAct, app: String)
    /// An app asks for the person itself.
    case verify(AppVerification, app: String)
    /// An app keeps a secret.
    case storeSecret(SecretID, value: String = "token", SecureStorage.Protection)
    /// An app reads its secret, which may ask the person to verify.
    case readSecret(SecretID)
    /// An app looks, without a prompt, whether its secret is there and within reach.
    case checkSecret(SecretID)
    /// An app deletes its secret.
    case deleteSecret(SecretID)

    /// Somebody deletes passkeys behind the relying parties' backs.
    case forgetCredentials(PasskeyFilter = PasskeyFilter(), DeletionReach = .here)
    /// Somebody changes what the account of a passkey is called.
    case renamePasskey(PasskeyFilter, to: String)
    /// From now on new passkeys stay hidden from sign-in for so many seconds.
    case passkeyDelay(seconds: Int)

    /// Something goes wrong from now on, for so many answers.
    case fault(name: String, times: Int?)
    /// Everything is right again.
    case noFaults
}

/// What came of an act.
package struct DeviceActResult: Hashable, Sendable {
    /// Why it came to nothing, as ``PlatformErrorTable`` names causes or in words; nil when it was done.
    package let cause: String?
    /// What whoever did it was told: the secret that was read, how long an app was away; nil when there is nothing to tell.
    package let answer: String?

    init(cause: String?, answer: String? = nil) {
        self.cause = cause
        self.answer = answer
    }

    /// It was done.
    package static let done = DeviceActResult(cause: nil)

    /// It was done, and somebody was told something.
    package static func told(_ answer: String?) -> DeviceActResult { DeviceActResult(cause: nil, answer: answer) }

    /// It came to nothing.
    package static func refused(_ cause: String) -> DeviceActResult { DeviceActResult(cause: cause) }
}
