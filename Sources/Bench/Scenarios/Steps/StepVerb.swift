internal import DeviceActs
internal import Documents

/// A verb of the scenario language: its word, where its steps happen, its keys, and how they are read.
///
/// Each kind of step declares its verbs beside the steps themselves; ``all`` is the whole language.
struct StepVerb: Sendable {
    /// The word, such as `sign-in`.
    let word: String
    /// The place of its steps.
    let place: StepPlace
    /// The keys its steps may have besides those of their place.
    let keys: Set<String>
    /// Reads a step's particulars.
    let read: @Sendable (StepFields) throws(SourceError) -> ScenarioStep.Action

    init(
        _ word: String, at place: StepPlace, keys: Set<String> = [],
        read: @escaping @Sendable (StepFields) throws(SourceError) -> ScenarioStep.Action
    ) {
        self.word = word
        self.place = place
        self.keys = keys
        self.read = read
    }

    /// Every verb of the language.
    static let all = SiteStep.verbs + CeremonyStep.verbs + DeviceStep.verbs + [wait, check]

    private static let wait = StepVerb("wait", at: .anywhere, keys: ["for"]) { fields throws(SourceError) in
        .wait(try fields.required("for").duration())
    }

    private static let check = StepVerb("check", at: .device) { _ in .check }
}

/// The place of a step.
enum StepPlace: Sendable {
    /// At a device, with its user.
    case device
    /// Anywhere; a device may be named to check its state.
    case anywhere
    /// At the relying party.
    case site

    /// The keys a step may have besides those of its verb.
    var keys: Set<String> {
        switch self {
        case .device: ["device", "person", "pin", "meanwhile", "expect"]
        case .anywhere: ["device", "expect"]
        case .site: ["expect"]
        }
    }
}
