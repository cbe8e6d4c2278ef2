internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import SimulatedDevice

/// A device to be started.
struct DeviceOrder: Sendable {
    let profile: DeviceProfile
    /// What to call it; nil takes the profile's name, with a number where that is taken.
    var name: String?
    /// What its randomness follows from; nil for the system's.
    var seed: UInt64?
    var habit = ControlledPerson.Habit.auto
    /// How the person's samples come out by themselves; nil for one who always matches.
    var nature: StatisticalPerson.Plan?
    var hasSimulatedClock = false
    var connections = DeviceConnections()

    /// What devices may be called: also a file's name, and part of a URL.
    static let nameSchema = Schema.pattern("[A-Za-z0-9][A-Za-z0-9._-]{0,47}", 1...48)

    /// A name for a device that was given none, with room for a number: the profile's, as far as it may be one.
    var profileName: String {
        let plain = profile.name.unicodeScalars.prefix(200).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let name = plain.drop { "._-".contains($0) }.prefix(40)
        return name.isEmpty ? "device" : String(name)
    }
}
