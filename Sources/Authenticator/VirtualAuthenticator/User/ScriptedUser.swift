public import Biometrics
public import CTAP
internal import Synchronization

/// A user who follows a script on a simulated clock, and agrees to everything after its end.
///
/// A match that needs confirmation is confirmed, unless the script's next act answers that question. An act that stands
/// for an absent user moves the clock to the prompt's deadline.
public final class ScriptedUser: User {
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
    private let fallback: any User

    /// - Parameters:
    ///   - clock: the clock to move when the user does not answer.
    ///   - fallback: the user after the end of the script.
    public init(clock: SimulatedClock, then fallback: any User = ConsentingUser()) {
        self.clock = clock
        self.fallback = fallback
    }

    /// Adds acts at the sensor.
    public func willDo(_ acts: [GateAct]) { script.withLock { $0.acts += acts } }

    /// Adds answers to requests for a touch.
    public func willAnswer(_ answers: [PresenceAnswer]) { script.withLock { $0.answers += answers } }

    /// Adds choices of an account; nil declines.
    public func willChoose(_ choices: [Int?]) { script.withLock { $0.choices += choices } }

    /// Adds samples of a finger that is being enrolled.
    public func willEnrol(_ samples: [EnrollSampleStatus]) { script.withLock { $0.samples += samples } }

    /// Discards the rest of the script.
    public func forget() {
        script.withLock { script in
            script = Script(presencePrompts: script.presencePrompts, verificationPrompts: script.verificationPrompts)
        }
    }

    /// The number of requests for a touch so far.
    public var presencePrompts: Int { script.withLock { $0.presencePrompts } }
    /// The number of requests for a sample or a passcode so far.
    public var verificationPrompts: Int { script.withLock { $0.verificationPrompts } }
    /// The acts that are still to come.
    public var remainingActs: [GateAct] { script.withLock { $0.acts } }

    /// Gives the script's next answer, or the fallback's.
    public func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer {
        script.withLock { $0.presencePrompts += 1 }
        guard let next = next(\.answers) else { return await fallback.confirm(prompt) }
        if next == .noAnswer { clock.advance(to: prompt.deadline) }
        return next
    }

    /// Gives the script's next act, or the fallback's.
    public func verify(_ prompt: VerificationPrompt) async -> GateAct {
        if let act = prompt.unasked(before: remainingActs.first) { return act }
        script.withLock { $0.verificationPrompts += 1 }
        guard let next = next(\.acts) else { return await fallback.verify(prompt) }
        if next == .noAnswer { clock.advance(to: prompt.deadline) }
        return next
    }

    /// Gives the script's next sample, or the fallback's.
    public func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus {
        guard let next = next(\.samples) else { return await fallback.enrol(prompt) }
        if next == .noUserActivity { clock.advance(to: prompt.deadline) }
        return next
    }

    /// Makes the script's next choice, or the fallback's.
    public func choose(_ prompt: AccountPrompt) async -> Int? {
        guard let next = next(\.choices) else { return await fallback.choose(prompt) }
        return next
    }

    private func next<Item: Sendable>(_ items: WritableKeyPath<Script, [Item]>) -> Item? {
        script.withLock { $0[keyPath: items].isEmpty ? nil : $0[keyPath: items].removeFirst() }
    }
}
