package import SimulatedDevice

/// An act's change of a setting.
package struct DeviceSettingChange: Hashable, Sendable {
    package let setting: DeviceSetting
    /// Whether the new value is that of a new device, which needs no use.
    package let isUsual: Bool
}
