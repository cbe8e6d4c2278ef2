public import Biometrics
public import CTAP
internal import Synchronization

/// A person who acts out a script on a simulated clock, and agrees when the script has run out.
///
/// A match that has to be confirmed is, unless the script goes on with an act that answers that question.
///
/// An act that means "nobody there" moves the clock to the prompt's deadline.
public final class ScriptedPerson: Person {
    private struct Script {
        var acts: [GateAct] = []
        var answers: [PresenceAnswer] = []
        var choices: [Int?] = []
        var samples: [EnrollSampleStatus] = []
        var presencePrompts = 0
        var verificationPrompts = 0
    }

    private let script = Mutex(Script())
    private let clock: SimulatedClock
    private let fallback: any Person

    /// - Parameters:
    ///   - clock: the clock to move when nobody answers.
    ///   - fallback: who answers when the script has run out.
    public init(clock: SimulatedClock, then fallback: any Person = AgreeablePerson()) {
        self.clock = clock
        self.fallback = fallback
    }

    /// Adds acts at the sensor, in the order they will be done.
    public func willDo(_ acts: [GateAct]) {
        script.withLock { $0.acts += acts }
    }

    /// Adds answers to questions for a touch.
    public func willAnswer(_ answers: [PresenceAnswer]) {
        script.withLock { $0.answers += answers }
    }

    /// Adds choices of an account; nil turns away.
    public func willChoose(_ choices: [Int?]) {
        script.withLock { $0.choices += choices }
    }

    /// Adds samples of a finger that is being enrolled.
    public func willEnrol(_ samples: [EnrollSampleStatus]) {
        script.withLock { $0.samples += samples }
    }

    /// Forgets what was still to be done.
    public func forget() {
        script.withLock { script in
            script.acts = []
            script.answers = []
            script.choices = []
            script.samples = []
        }
    }

    /// How often the person was asked for a touch.
    public var presencePrompts: Int { script.withLock { $0.presencePrompts } }
    /// How many samples or passcodes the person was asked for.
    public var verificationPrompts: Int { script.withLock { $0.verificationPrompts } }
    /// The acts that were not called for yet.
    public var remainingActs: [GateAct] { script.withLock { $0.acts } }

    /// Gives the script's next answer, or the fallback's.
    public func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer {
        let next = script.withLock { script -> PresenceAnswer? in
            script.presencePrompts += 1
            return script.answers.isEmpty ? nil : script.answers.removeFirst()
        }
        guard let next else { return await fallback.confirm(prompt) }
        if next == .noAnswer { clock.advance(to: prompt.deadline) }
        return next
    }

    /// Gives the script's next act, or the fallback's.
    public func verify(_ prompt: VerificationPrompt) async -> GateAct {
        let next = script.withLock { script -> GateAct? in
            if let act = prompt.unasked(before: script.acts.first) { return act }
            script.verificationPrompts += 1
            return script.acts.isEmpty ? nil : script.acts.removeFirst()
        }
        guard let next else { return await fallback.verify(prompt) }
        if next == .noAnswer { clock.advance(to: prompt.deadline) }
        return next
    }

    /// Gives the script's next sample, or the fallback's.
    public func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus {
        let next = script.withLock { $0.samples.isEmpty ? nil : $0.samples.removeFirst() }
        guard let next else { return await fallback.enrol(prompt) }
        if next == .noUserActivity { clock.advance(to: prompt.deadline) }
        return next
    }

    /// Makes the script's next choice, or the fallback's.
    public func choose(_ prompt: AccountPrompt) async -> Int? {
        let next = script.withLock { script -> Int?? in
            // Not a conditional expression: its nil would be a choice, the one to turn away.
            if script.choices.isEmpty { return nil }
            return script.choices.removeFirst()
        }
        guard let next else { return await fallback.choose(prompt) }
        return next
    }
}
