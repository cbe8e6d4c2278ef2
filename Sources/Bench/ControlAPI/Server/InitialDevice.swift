package import DeviceProfiles
internal import Documents
package import SimulatedDevice

/// A device that a server starts with.
package struct InitialDevice: Sendable {
    /// What kind of device.
    package var profile: DeviceProfile
    /// What to call it; nil takes the profile's name.
    package var name: String?
    /// What its keys, IDs and signatures follow from; nil for the system's randomness.
    package var seed: UInt64?
    /// What its person does when not told.
    package var person = ControlledPerson.Habit.auto
    /// Whether its time is one that only requests move on.
    package var hasSimulatedClock = false

    package init(profile: DeviceProfile) {
        self.profile = profile
    }

    /// Whether a device may have this name, which becomes part of URLs and of a file's path.
    package static func isName(_ text: String) -> Bool {
        (try? DeviceOrder.nameSchema.check(.text(text))) != nil
    }
}

/// Why a control server could not do something.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
