internal import SimulatedDevice
internal import VirtualAuthenticator

/// A device's records of a step.
struct DeviceRecord: Sendable {
    var events: [AuthenticatorEvent] = []
    /// The answers of a real device; nil for a simulated one.
    var answers: [RecordedAnswers.Answer]?
    /// The user's acts that no prompt requested.
    var unusedActs: [UserAct] = []
    /// The names of the accounts of each prompt for one, in the prompt's order: the newest first.
    var offers: [[String?]] = []
    /// The user's acts at the prompts that verified the user.
    var given: [ControlledUser.GivenAct] = []
    /// The number of PINs that the user was not asked for.
    var unusedPINs = 0
    /// Whether there was no prompt for the step's interruptions.
    var missedInterruption = false

    /// The words of the acts that a prompt ignored, such as a second fallback.
    var ignoredActs: [String] {
        events.compactMap { IgnoredAct($0.kind)?.act }
    }
}
