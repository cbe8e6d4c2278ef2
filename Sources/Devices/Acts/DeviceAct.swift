public import Biometrics

/// Something done to a simulated device from outside: by a scenario, from a terminal, over the control API.
///
/// What its person does at a prompt is a ``PersonAct``.
public enum DeviceAct: Hashable, Sendable {
    /// Somebody enrols another finger or face.
    case enrol(name: String)
    /// Somebody removes an enrolled finger or face, or with nil everybody.
    case unenrol(name: String?)
    /// The person enters the device credential at the lock screen.
    case unlock(correctly: Bool)
    /// The sensor breaks, disappears or is repaired.
    case sensor(SensorAvailability)
    /// The power goes and comes back.
    case powerCycle
    /// Somebody deletes its discoverable credentials behind the relying parties' backs.
    case forgetCredentials
    /// Something goes wrong from now on, for so many answers.
    case fault(name: String, times: Int?)
    /// Everything is right again.
    case noFaults
    /// An app keeps a secret behind the sensor.
    case storeSecret(name: String, access: SecureStorage.Access)
    /// An app reads its secret, which asks the person to verify.
    case readSecret(name: String)
}

/// What came of an act.
public struct DeviceActResult: Hashable, Sendable {
    /// Why it came to nothing, as ``OutcomeFaces`` names causes or in words; nil when it was done.
    public let cause: String?

    /// It was done.
    public static let done = DeviceActResult(cause: nil)

    /// It came to nothing.
    public static func refused(_ cause: String) -> DeviceActResult { DeviceActResult(cause: cause) }
}
