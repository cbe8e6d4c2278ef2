package import DeviceHost
package import DeviceProfiles
package import SimulatedDevice

/// A request to start a device, by a client or with the server.
package struct DeviceStartRequest: Sendable {
    package let profile: DeviceProfile
    /// The device's name; default: the profile's, with a number where it is taken.
    package var name: String?
    /// The state in which it starts; default: that of a new device.
    package var state: StoredDevice?
    /// The random seed of its keys, IDs and signatures; default: the system's random numbers.
    package var seed: UInt64?
    /// The user's behaviour at a prompt without a queued act.
    package var habit = ControlledUser.Habit.auto
    /// The model of the user's samples; default: they always match.
    package var nature: StatisticalUser.Plan?
    /// Whether its clock is a simulated one that only requests advance.
    package var hasSimulatedClock = false
    /// The transports that serve it; default: none.
    package var connections = DeviceConnections()

    package init(profile: DeviceProfile) { self.profile = profile }
}
