/// Something that happened during a step, with its time.
package struct TimelineEntry: Hashable, Sendable, Codable {
    package enum Lane: String, Hashable, Sendable, Codable, CaseIterable {
        /// The user's acts.
        case user
        /// The user-verification gate: samples, lockouts, templates.
        case sensor
        /// The authenticator's commands.
        case ctap
        /// Requests to servers.
        case http
        /// The screen of an app or a page, and the errors it gets.
        case screen
        /// Secure storage, synced passkeys and the rest of the device.
        case device
    }

    /// Seconds since the run's start, on the simulated clock.
    package let time: Double
    package let lane: Lane
    package let text: String
    package let detail: String?
    /// The device; nil for an event at none.
    package let device: String?
}

extension TimelineEntry.Lane {
    var title: String {
        switch self {
        case .user: "User"
        case .sensor: "Sensor"
        case .ctap: "CTAP"
        case .http: "HTTP"
        case .screen: "Screen"
        case .device: "Device"
        }
    }
}
