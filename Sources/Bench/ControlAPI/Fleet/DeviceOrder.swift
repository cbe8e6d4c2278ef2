package import DeviceHost
package import DeviceProfiles
internal import Documents
package import SimulatedDevice

/// A request to start a device, by a client or with the server.
package struct DeviceOrder: Sendable {
    /// The device's profile.
    package let profile: DeviceProfile
    /// The device's name; default: the profile's, with a number where it is taken.
    package var name: String?
    /// The random seed of its keys, IDs and signatures; default: the system's random numbers.
    package var seed: UInt64?
    /// The user's behaviour at a prompt for which no act was told.
    package var habit = ControlledPerson.Habit.auto
    /// The model of the user's samples; default: they always match.
    package var nature: StatisticalPerson.Plan?
    /// Whether its clock is a simulated one that only requests advance.
    package var hasSimulatedClock = false
    /// The transports that serve it; default: none.
    package var connections = DeviceConnections()

    package init(profile: DeviceProfile) {
        self.profile = profile
    }

    /// Whether a text is a valid device name.
    package static func isName(_ text: String) -> Bool { (try? nameSchema.check(.text(text))) != nil }

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
