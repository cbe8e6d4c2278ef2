package import DeviceProfiles
internal import Documents
package import SimulatedDevice

/// A device to start with the server.
package struct InitialDevice: Sendable {
    /// The device's profile.
    package var profile: DeviceProfile
    /// The device's name; default: the profile's.
    package var name: String?
    /// The random seed of its keys, IDs and signatures; default: the system's random numbers.
    package var seed: UInt64?
    /// The user's behaviour at a prompt for which no act was told.
    package var person = ControlledPerson.Habit.auto
    /// Whether its clock is a simulated one that only requests advance.
    package var hasSimulatedClock = false

    package init(profile: DeviceProfile) {
        self.profile = profile
    }

    /// Whether a text is a valid device name, which becomes part of URLs and of a file's path.
    package static func isName(_ text: String) -> Bool {
        (try? DeviceOrder.nameSchema.check(.text(text))) != nil
    }
}

/// The reason why a control server could not perform a request.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
