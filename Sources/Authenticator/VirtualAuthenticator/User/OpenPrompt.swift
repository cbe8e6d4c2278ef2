internal import Biometrics

/// A prompt at the gate, as the command or the app that opened it follows it.
final class OpenPrompt {
    /// The question to the user.
    var question: Task<GateAct, Never>?
    /// Whether a change from outside has moved the prompt to another question.
    var hasMoved = false
    /// The reason of its end by another event than the user's act; nil before it.
    private(set) var failure: GateFailure?

    /// Ends the prompt, and withdraws its question.
    func end(_ step: GateStep) {
        if failure == nil { failure = if case .ended(.failed(let failure)) = step { failure } else { .sensorFailed } }
        question?.cancel()
    }

    /// Withdraws the question for another one.
    func move() {
        hasMoved = true
        question?.cancel()
    }
}
