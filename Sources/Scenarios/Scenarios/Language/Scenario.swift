internal import Documents

/// A scenario: devices, a relying party and an app, the steps they take, and the expected observations of each.
package struct Scenario: Sendable {
    package let file: String
    /// A one-line summary, which its runs share.
    package internal(set) var title = ""
    /// The parameters' values in this run.
    package internal(set) var combination = Combination(choices: [], values: [:])
    var matrix = ScenarioMatrix()
    package internal(set) var about = ""
    /// The requirements it shows, by identifier.
    package internal(set) var requirements: [String] = []
    package internal(set) var tags: [String] = []
    package internal(set) var devices: [Device] = []
    /// The users whose samples follow a statistical model, by the names of their devices; the others' always match.
    var people: [String: RecognitionPlan] = [:]
    /// The places of their plans, by the names of the devices.
    var placesOfPeople: [String: SourcePlace] = [:]
    package internal(set) var accounts: [Account] = []
    var relyingParty = RelyingPartySettings()
    var app: AppPlan?
    package internal(set) var steps: [ScenarioStep] = []

    /// The run's name: the summary, and the values of the matrix's parameters.
    package var name: String { combination.choices.isEmpty ? title : "\(title) [\(combination.words)]" }

    package struct Device: Sendable {
        let place: SourcePlace
        package let name: String
        /// The name of its profile, or the path of a profile file.
        package internal(set) var profile: String
        /// The file's profile, if --device replaces it; otherwise nil.
        var replacedProfile: String?

        /// The profile that the file declares.
        package var declaredProfile: String { replacedProfile ?? profile }
    }

    /// An account of a passkey provider.
    package struct Account: Sendable {
        let place: SourcePlace
        package let name: String
        /// The devices that belong to it at the start.
        package let devices: [String]
        /// The time a change takes to sync.
        package let delay: Duration
    }
}
