/// A story about devices, a relying party and an app, with what each of them should see.
package struct Scenario: Sendable {
    /// The file it was read from.
    package let file: String
    /// One line that says what happens.
    package let name: String
    /// Why it matters.
    package let about: String
    /// The requirements it shows, by identifier.
    package let requirements: [String]
    /// The devices in it: the name steps use, and the profile.
    package let devices: [(name: String, profile: String)]
    /// The lines they are on.
    let deviceLines: [Int]
    /// The people whose samples come out by rates, by the names of their devices; the others always match.
    let people: [String: RecognitionPlan]
    /// The accounts its devices sync their passkeys with.
    package let accounts: [Account]
    /// What happens, in order.
    package let steps: [ScenarioStep]

    /// An account of a passkey provider.
    package struct Account: Sendable {
        /// The line it is written on.
        package let line: Int
        /// What it is called.
        package let name: String
        /// The devices that belong to it from the start.
        package let devices: [String]
        /// How long a change is on its way.
        package let delay: Duration
    }
}
