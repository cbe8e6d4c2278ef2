public import Devices

/// A device that a server starts with.
public struct InitialDevice: Sendable {
    /// What kind of device.
    public var profile: DeviceProfile
    /// What to call it; nil takes the profile's name.
    public var name: String?
    /// What its keys, IDs and signatures follow from; nil for the system's randomness.
    public var seed: UInt64?
    /// What its person does when not told.
    public var person = ControlledPerson.Habit.auto
    /// Whether its time is one that only requests move on.
    public var hasSimulatedClock = false

    public init(profile: DeviceProfile) {
        self.profile = profile
    }

    /// Whether a device may have this name, which becomes part of URLs and of a file's path.
    public static func isName(_ text: String) -> Bool {
        (try? DeviceOrder.nameSchema.check(.text(text))) != nil
    }
}

/// Why a control server could not do something.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
