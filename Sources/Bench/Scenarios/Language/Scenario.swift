/// A scenario: devices, a relying party and an app, the steps they take, and the expected observations of each.
package struct Scenario: Sendable {
    /// The file it was read from.
    package let file: String
    /// A one-line summary.
    package let name: String
    /// The reason it matters.
    package let about: String
    /// The requirements it shows, by identifier.
    package let requirements: [String]
    /// The devices in it: the name steps use, and the profile.
    package let devices: [(name: String, profile: String)]
    /// The lines that declare the devices.
    let deviceLines: [Int]
    /// The users whose samples follow a statistical model, by the names of their devices; the others' always match.
    let people: [String: RecognitionPlan]
    /// The accounts that the devices sync their passkeys with.
    package let accounts: [Account]
    /// The steps, in order.
    package let steps: [ScenarioStep]

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
