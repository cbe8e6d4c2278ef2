/// A scenario: devices, a relying party and an app, the steps they take, and the expected observations of each.
package struct Scenario: Sendable {
    /// The file it was read from.
    package let file: String
    /// A one-line summary.
    package internal(set) var name = ""
    /// The reason it matters.
    package internal(set) var about = ""
    /// The requirements it shows, by identifier.
    package internal(set) var requirements: [String] = []
    /// The devices in it.
    package internal(set) var devices: [Device] = []
    /// The users whose samples follow a statistical model, by the names of their devices; the others' always match.
    var people: [String: RecognitionPlan] = [:]
    /// The accounts that the devices sync their passkeys with.
    package internal(set) var accounts: [Account] = []
    /// The steps, in order.
    package internal(set) var steps: [ScenarioStep] = []

    /// A device of a scenario.
    package struct Device: Sendable {
        /// The line that declares it.
        let line: Int
        /// Its name in the steps.
        package let name: String
        /// The name of its profile, or the path of a profile file.
        package internal(set) var profile: String
    }

    /// An account of a passkey provider.
    package struct Account: Sendable {
        /// The line that declares it.
        package let line: Int
        /// Its name.
        package let name: String
        /// The devices that belong to it at the start.
        package let devices: [String]
        /// The time a change takes to sync.
        package let delay: Duration
    }
}
