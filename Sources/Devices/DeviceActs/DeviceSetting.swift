/// A setting of a device that has an effect only when something meets it.
package enum DeviceSetting: Hashable, Sendable {
    /// The time for which new passkeys stay hidden from sign-in.
    case passkeyDelay
    /// Airplane mode.
    case network
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
    /// Whether the setting gets the value of a new device.
    package let isUsual: Bool
}
