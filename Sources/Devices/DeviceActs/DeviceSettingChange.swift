/// A device setting that takes effect at a later event.
package enum DeviceSetting: Hashable, Sendable {
    /// The time for which new passkeys stay hidden from sign-in.
    case passkeyDelay
    case airplaneMode
    /// The state of a sensor.
    case sensor
    /// The permanent lock of a sensor.
    case lockout
    /// The demand for the passcode in place of a sensor.
    case passcodeDemand
    /// An app's permission to use the sensor.
    case permission
    /// Stolen Device Protection or Identity Check, which protects a device away from familiar places.
    case theftProtection
    /// The place of a device, as its theft protection sees it.
    case place
}

/// An act's change of a setting.
package struct DeviceSettingChange: Hashable, Sendable {
    package let setting: DeviceSetting
    /// Whether the new value is that of a new device, which needs no use.
    package let isUsual: Bool
}
