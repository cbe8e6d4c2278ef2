package import Biometrics
package import CTAP
internal import Synchronization
package import VirtualAuthenticator

/// Something a person at a device does when told to.
package enum PersonAct: Hashable, Sendable {
    /// Touches the device; at a sensor, with the right finger or face.
    case touch
    /// Acts at the sensor or the passcode field; a match is a touch, too, and a cancel declines one.
    case gate(GateAct)
    /// Takes the account at this place in the list.
    case choose(Int)
    /// Touches the device, but lets go at once.
    case touchBriefly
    /// Gives a sample of a finger that is being enrolled.
    case sample(EnrollSampleStatus)

    /// What is done at a gate; nil for what is done elsewhere.
    fileprivate var gateAct: GateAct? {
        if case .gate(let act) = self { act } else { nil }
    }
}

extension GateAct {
    /// Whether the person shows themselves, at whatever sensor.
    var isMatch: Bool { if case .match? = sample { true } else { false } }

    /// Whether somebody unknown tries to be let in.
    fileprivate var isFailure: Bool { self == .nonMatch || self == .passcode(correct: false) }
}

/// A person at a running device, told what to do from outside while the device waits.
///
/// Acts told in advance are kept in order. With none left the person agrees to everything, or waits to be told, until
/// the prompt's deadline.
package actor ControlledPerson: Person {
    /// What the person does when nobody has told them anything.
    package enum Habit: String, Sendable, CaseIterable, Codable {
        /// Acts at once: touches, matches, enters the passcode, takes the first account, or what is their nature instead.
        case auto
        /// Waits to be told.
        case ask
    }

    /// A prompt that waits for its answer, for whoever tells the person what to do.
    package struct OpenPrompt: Hashable, Sendable {
        /// What is asked for: `touch`, `face`, `fingerprint`, `face or fingerprint`, `confirmation`, `fallback`,
        /// `passcode`, `sample` or `account`.
        package let asksFor: String
        /// The relying party, if the command names one.
        package let relyingPartyID: String?
        /// When it ends by itself.
        package let deadline: Duration
    }

    /// How a person who acts by habit takes prompts.
    package struct Disposition: Hashable, Sendable {
        /// Whether they consent to what is asked of them: touch, and choose an account.
        package var consents: Bool
        /// Whether the sensor and the passcode field know them; somebody unknown fails once and then gives up.
        package var verifies: Bool

        package init(consents: Bool = true, verifies: Bool = true) {
            self.consents = consents
            self.verifies = verifies
        }

        /// What they do instead of agreeing.
        ///
        /// - Parameter hasFailed: whether they just did.
        fileprivate func turned(_ agreement: PersonAct, hasFailed: Bool) -> PersonAct {
            guard consents else { return .gate(.cancelByUser) }
            guard !verifies, case .gate(let act) = agreement else { return agreement }
            if hasFailed { return .gate(.cancelByUser) }
            return switch act {
            case .match: .gate(.nonMatch)
            case .passcode: .gate(.passcode(correct: false))
            default: agreement
            }
        }
    }

    private let habit: Habit
    private let nature: any Person
    /// How the person takes prompts when acting by habit ``Habit/auto``.
    package private(set) var disposition = Disposition()
    private let waitUntil: @Sendable (Duration) async -> Void
    private let deadline: @Sendable (Duration) async -> Void
    private var acts: [PersonAct] = []
    private var waiting: (prompt: OpenPrompt, resume: CheckedContinuation<PersonAct, Never>)?
    private var promptCount = 0
    /// Whether somebody unknown has failed by habit, and whoever asked for that may ask again.
    private var hasFailed = false
    private var interruption: (@Sendable () async -> Void)?

    /// - Parameters:
    ///   - habit: what to do when not told.
    ///   - nature: what they do at a sensor by themselves; to agree, unless given.
    ///   - waitUntil: returns at a time of the device's clock, or when the task is cancelled; a person who stays away
    ///     may move a simulated one on.
    ///   - deadline: the same for a prompt that waits for somebody to be told, which moves no clock; `waitUntil` unless
    ///     given.
    package init(
        habit: Habit, nature: any Person = AgreeablePerson(),
        waitUntil: @escaping @Sendable (Duration) async -> Void,
        deadline: (@Sendable (Duration) async -> Void)? = nil
    ) {
        self.habit = habit
        self.nature = nature
        self.waitUntil = waitUntil
        self.deadline = deadline ?? waitUntil
    }

    /// Changes how the person takes prompts when acting by habit.
    package func become(_ disposition: Disposition) {
        self.disposition = disposition
        hasFailed = false
    }

    /// Tells the person what to do: now, if a prompt is open, otherwise at the next one.
    package func tell(_ act: PersonAct) {
        guard let waiting else {
            acts.append(act)
            return
        }
        self.waiting = nil
        waiting.resume.resume(returning: act)
    }

    /// Has something happen in the middle of the next prompt that no act is left for.
    package func interrupt(with happening: @escaping @Sendable () async -> Void) {
        interruption = happening
    }

    /// Drops what was to happen in the middle of a prompt, and says whether it was still to come.
    package func forgetInterruption() -> Bool {
        defer { interruption = nil }
        return interruption != nil
    }

    /// The prompt that is open.
    package var openPrompt: OpenPrompt? { waiting?.prompt }

    /// The acts that were told and not called for yet.
    package var plannedActs: [PersonAct] { acts }

    /// Drops the acts that were told and not called for, and returns them.
    package func forgetPlans() -> [PersonAct] {
        defer { acts = [] }
        return acts
    }

    package func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer {
        let open = OpenPrompt(
            asksFor: prompt.isLongTouch ? "long touch" : "touch", relyingPartyID: prompt.relyingPartyID,
            deadline: prompt.deadline)
        switch await act(at: open, agreeing: .touch) {
        case .touchBriefly: return prompt.isLongTouch ? .tooShort : .confirmed
        case .touch, .choose, .sample, .gate(.confirm), .gate(.passcode(correct: true)): return .confirmed
        case .gate(let act) where act.isMatch: return .confirmed
        case .gate(.noAnswer): return .noAnswer
        case .gate: return .declined
        }
    }

    package func verify(_ prompt: VerificationPrompt) async -> GateAct {
        if let next = acts.first, let act = prompt.unasked(before: next.gateAct) { return act }
        let open = OpenPrompt(
            asksFor: Self.words(prompt), relyingPartyID: prompt.relyingPartyID, deadline: prompt.deadline)
        // Clients that get a token by the sensor ask anew within one ceremony; elsewhere a new prompt is a new question.
        if prompt.attempt == 1, prompt.command != .clientPIN { hasFailed = false }
        switch await act(at: open, agreeing: .gate(await nature.verify(prompt))) {
        case .gate(let act):
            hasFailed = !hasFailed && act.isFailure
            return act
        case .touch, .touchBriefly, .choose, .sample: return prompt.agreement
        }
    }

    private static func words(_ prompt: VerificationPrompt) -> String {
        switch prompt.stage {
        case .deviceCredential: "passcode"
        case .confirming: "confirmation"
        case .stopped: "fallback"
        case .idle, .sensing:
            prompt.modalities.count > 1
                ? prompt.modalities.map(\.rawValue).joined(separator: " or ")
                : prompt.modality?.rawValue ?? "sensor"
        }
    }

    package func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus {
        let open = OpenPrompt(asksFor: "sample", relyingPartyID: nil, deadline: prompt.deadline)
        switch await act(at: open, agreeing: .sample(.good)) {
        case .sample(let status): return status
        case .touch, .choose: return .good
        case .touchBriefly: return .tooShort
        case .gate(let act): return act.isMatch ? .good : act.sample == nil ? .noUserActivity : .poorQuality
        }
    }

    package func choose(_ prompt: AccountPrompt) async -> Int? {
        let open = OpenPrompt(
            asksFor: "account", relyingPartyID: prompt.relyingPartyID, deadline: prompt.deadline)
        switch await act(at: open, agreeing: .choose(0)) {
        case .choose(let index): return index
        case .touch, .touchBriefly: return 0
        case .gate(let act) where act.isMatch: return 0
        case .gate, .sample: return nil
        }
    }

    /// The next act: one told before, the habit's, or the one somebody tells while the prompt is open.
    private func act(
        at prompt: OpenPrompt, agreeing agreement: @autoclosure () async -> PersonAct
    ) async -> PersonAct {
        promptCount += 1
        if acts.isEmpty, let happening = interruption {
            interruption = nil
            await happening()
            // The prompt may be gone with it.
            if Task.isCancelled { return .gate(.cancelByApp) }
        }
        let next: PersonAct
        if !acts.isEmpty {
            next = acts.removeFirst()
        } else if habit == .auto {
            next = disposition.turned(await agreement(), hasFailed: hasFailed)
        } else {
            next = await beTold(at: prompt, number: promptCount)
        }
        // Staying away takes until the deadline, whoever decided on it.
        if next == .gate(.noAnswer) || next == .sample(.noUserActivity) { await waitUntil(prompt.deadline) }
        return next
    }

    private func beTold(at prompt: OpenPrompt, number: Int) async -> PersonAct {
        let deadline = Task { [deadline] in
            await deadline(prompt.deadline)
            self.giveUp(on: number)
        }
        defer { deadline.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: .gate(.cancelByApp)) }
                // One prompt is on the screen at a time: a new one takes it from the one before.
                waiting?.resume.resume(returning: .gate(.cancelBySystem))
                waiting = (prompt, continuation)
            }
        } onCancel: {
            Task { await self.withdraw(number) }
        }
    }

    private func giveUp(on number: Int) {
        guard number == promptCount, let waiting, !Task.isCancelled else { return }
        self.waiting = nil
        waiting.resume.resume(returning: .gate(.noAnswer))
    }

    private func withdraw(_ number: Int) {
        guard number == promptCount, let waiting else { return }
        self.waiting = nil
        waiting.resume.resume(returning: .gate(.cancelByApp))
    }
}
