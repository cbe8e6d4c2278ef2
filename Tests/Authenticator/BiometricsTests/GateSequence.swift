import Biometrics
import Testing

/// A row of a platform's table: inputs to a gate and the answer to each.
struct GateSequence: Sendable, CustomTestStringConvertible {
    /// One input and the label of the expected answer.
    struct Move: Sendable {
        let at: Duration
        let input: GateInput
        let answer: String
    }

    let rule: String
    let gate: UserVerificationGate
    let moves: [Move]

    init(_ rule: String, _ gate: UserVerificationGate, _ moves: [Move]...) {
        self.rule = rule
        self.gate = gate
        self.moves = moves.flatMap { $0 }
    }

    var testDescription: String { rule }

    /// Plays the story from its beginning and returns the gate at the end.
    @discardableResult
    func play() throws -> UserVerificationGate {
        var gate = gate
        for (index, move) in moves.enumerated() {
            let event = try gate.apply(move.input, at: move.at)
            #expect(event.step.label == move.answer, "move \(index + 1), \(move.input.label), at \(move.at)")
        }
        return gate
    }
}

/// One input, and the label of its answer.
func on(_ input: GateInput, _ answer: String, at: Duration = .zero) -> [GateSequence.Move] {
    [GateSequence.Move(at: at, input: input, answer: answer)]
}

/// Answers an open prompt.
func act(_ act: GateAct, _ answer: String, at: Duration = .zero) -> [GateSequence.Move] {
    on(.present(act), answer, at: at)
}

/// Starts a prompt for the biometric alone.
func prompt(
    _ answer: String, at: Duration = .zero, credential: Bool = false, minimum: StrengthClass? = nil,
    purpose: PromptOptions.Purpose = .app
) -> [GateSequence.Move] {
    on(
        .begin(PromptOptions(allowsDeviceCredential: credential, minimumClass: minimum, purpose: purpose)), answer,
        at: at)
}

/// Fails in an open prompt; only the last failure may end it.
func mismatches(_ count: Int, _ last: String, at: Duration = .zero) -> [GateSequence.Move] {
    (1...count).flatMap { act(.nonMatch, $0 == count ? last : "tryAgain", at: at) }
}

/// Fails in an open prompt until it stops sensing, for any reason.
func stopping(_ count: Int, at: Duration = .zero) -> [GateSequence.Move] {
    mismatches(count, "stopped", at: at) + act(.giveUp, "ended.attemptsExhausted", at: at)
}

/// One prompt with this many failures, closed by the user if it is still open.
func failing(_ count: Int, _ last: String = "tryAgain", at: Duration = .zero) -> [GateSequence.Move] {
    prompt("sensing", at: at) + mismatches(count, last, at: at)
        + (last == "tryAgain" ? act(.cancelByUser, "ended.userCancelled", at: at) : [])
}

/// The passcode at the lock screen.
func unlock(
    _ answer: String = "ended.verified.deviceCredential", correct: Bool = true, at: Duration = .zero
) -> [GateSequence.Move] {
    on(.enterDeviceCredential(correct: correct), answer, at: at)
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
    static let tick = Duration.milliseconds(1)
}

/// A gate with several sensors, each with a template.
func gate(
    _ policy: GatePolicy, sensors: [(BiometricModality, StrengthClass, LockoutPolicy?)],
    credential: DeviceCredential.Kind? = .pin
) -> UserVerificationGate {
    UserVerificationGate(
        policy: policy,
        sensors: sensors.map { modality, strength, lockout in
            BiometricSensor(
                modality: modality, strengthClass: strength, templates: [alice, bob], lockoutPolicy: lockout)
        }, deviceCredential: credential.map { DeviceCredential(kind: $0) })
}
