internal import DeviceHost
internal import DeviceProfiles
internal import PlatformErrors
internal import SimulatedDevice

/// A device in a list.
struct DeviceSummary: Codable, Sendable {
    let name: String
    let profile: String
    let title: String
    let platform: String
    let person: ControlledUser.Habit
    let clock: ClockReport
    let udpPort: Int?
    /// The open prompt's request, if a prompt waits for the user.
    let waitingFor: String?
    let hasApp: Bool

    init(_ device: ManagedDevice) async {
        name = device.name
        profile = device.profile.name
        title = device.profile.title
        platform = device.profile.platform.rawValue
        person = device.habit
        clock = ClockReport(device.host.clock)
        udpPort = device.host.port
        waitingFor = await device.host.person.openPrompt?.asksFor
        hasApp = device.app.isInstalled
    }
}
