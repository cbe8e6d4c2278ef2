package import Biometrics

/// A device setting that takes effect at a later event.
package enum DeviceSetting: Hashable, Sendable {
    /// The time for which new passkeys stay hidden from sign-in.
    case passkeyDelay
    case airplaneMode
    /// The state of a sensor; nil for the first.
    case sensor(BiometricModality?)
    /// The permanent lock of a sensor; nil for every one.
    case lockout(BiometricModality?)
    /// The demand for the passcode in place of a sensor.
    case passcodeDemand
    /// An app's permission to use the sensor.
    case permission(app: String)
    /// Stolen Device Protection or Identity Check, which protects a device away from familiar places.
    case theftProtection
    /// The place of a device, as its theft protection sees it.
    case place
}

extension SimulatedDevice {
    /// The settings that have changed an answer since the last call, of those that only an answer shows: an app's
    /// permission, the theft protection and the place.
    package func takeSettingEffects() -> Set<DeviceSetting> { life.takeEffects() }
}
