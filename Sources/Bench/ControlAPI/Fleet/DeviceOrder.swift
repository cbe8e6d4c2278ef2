internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import SimulatedDevice

/// A request to start a device.
struct DeviceOrder: Sendable {
    let profile: DeviceProfile
    /// The device's name; default: the profile's, with a number where it is taken.
    var name: String?
    /// The random seed; default: the system's random numbers.
    var seed: UInt64?
    var habit = ControlledPerson.Habit.auto
    /// The model of the user's samples; default: they always match.
    var nature: StatisticalPerson.Plan?
    var hasSimulatedClock = false
    var connections = DeviceConnections()

    /// The rule for names of devices, which become part of URLs and of a file's path.
    static let nameSchema = Schema.pattern(
        "[A-Za-z0-9][A-Za-z0-9._-]{0,47}", 1...48,
        words: "letters, digits, “.”, “_” and “-”, with a letter or a digit first")

    /// The default name, with room for a number: the profile's name with `-` for invalid characters.
    var profileName: String {
        let plain = profile.name.unicodeScalars.prefix(200).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let name = plain.drop { "._-".contains($0) }.prefix(40)
        return name.isEmpty ? "device" : String(name)
    }
}
