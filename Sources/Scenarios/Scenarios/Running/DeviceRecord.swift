internal import Biometrics
internal import SimulatedDevice
internal import VirtualAuthenticator

/// A device's records of a step.
struct DeviceRecord: Sendable {
    var events: [AuthenticatorEvent] = []
    /// The answers of a real device; nil for a simulated one.
    var answers: [RecordedAnswers.Answer]?
    /// The user's acts that no prompt requested.
    var unusedActs: [UserAct] = []
    /// The number of PINs that the user was not asked for.
    var unusedPINs = 0
    /// Whether there was no prompt for the step's interruptions.
    var missedInterruption = false

    /// The words of the acts that a prompt ignored, such as a second fallback.
    var ignoredActs: [String] {
        events.compactMap { event in
            guard case .gate(let gate) = event.kind, case .present(let act) = gate.input, gate.step == .ignored else {
                return nil
            }
            return UserAct.gate(act.sample.map { .sample($0) } ?? act).word
        }
    }
}
