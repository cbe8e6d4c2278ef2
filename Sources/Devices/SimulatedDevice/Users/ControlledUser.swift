package import Biometrics
package import CTAP
internal import Synchronization
package import VirtualAuthenticator

/// A user whose acts are given from outside while the device runs.
///
/// Acts given in advance are queued. When the queue is empty, the ``Habit`` decides. It also decides at the questions before
/// the one that the next act answers: a choice of an account waits until the touch is given.
package actor ControlledUser: User {
    /// The user's behaviour when no act is queued.
    package enum Habit: String, Sendable, CaseIterable, Codable {
        /// Acts at once: touches, matches, enters the passcode, chooses the first account, or follows the given model.
        case auto
        /// Waits for an act until the prompt's deadline.
        case ask
    }

    /// An open prompt that waits for an act.
    package struct OpenPrompt: Hashable, Sendable {
        /// The requested act: `touch`, `long touch`, `face`, `fingerprint`, `face or fingerprint`, `confirmation`, `try again`,
        /// `fallback`, `challenge phrase`, `passcode`, `sample` or `account`.
        package let asksFor: String
        /// The relying party, if the command names one.
        package let relyingPartyID: String?
        /// The command that asks; nil for the choice of an account and for an enrolment.
        package var command: CTAPCommand?
        /// The time at which it times out.
        package let deadline: Duration
        /// The question, which some acts answer.
        package let question: PromptQuestion
    }

    /// The user's response to prompts under ``Habit/auto``.
    package struct Disposition: Hashable, Sendable {
        /// Whether the user consents: touches, and chooses an account.
        package var consents: Bool
        /// Whether the sensor and the passcode field accept the user; otherwise the user fails once and then cancels.
        package var verifies: Bool

        package init(consents: Bool = true, verifies: Bool = true) {
            self.consents = consents
            self.verifies = verifies
        }

        /// The act in place of agreeing.
        fileprivate func applied(to agreement: UserAct, hasFailed: Bool) -> UserAct {
            guard consents else { return .gate(.cancelByUser) }
            guard !verifies, case .gate(let act) = agreement else { return agreement }
            if hasFailed { return .gate(.cancelByUser) }
            return switch act {
            case .sample(.match, nil): .gate(.nonMatch)
            case .passcode: .gate(.passcode(correct: false))
            default: agreement
            }
        }
    }

    /// An act at a prompt that verifies the user.
    package struct GivenAct: Hashable, Sendable {
        package let act: GateAct
        /// Its place among the acts that were given in advance, from 1; nil for the habit's act.
        package let place: Int?
    }

    /// The user's answer to a prompt.
    private struct Answer {
        let act: UserAct
        /// Its place among the acts that were given in advance; nil for another act.
        let place: Int?
    }

    private static let keptOffers = 10
    private static let keptActs = 1000

    private let habit: Habit
    private let liftsFromReader: Bool
    private let nature: any User
    package private(set) var disposition = Disposition()
    private let waitUntil: @Sendable (Duration) async -> Void
    private let deadline: @Sendable (Duration) async -> Void
    private var acts: [UserAct] = []
    private var waiting: (number: Int, prompt: OpenPrompt, resume: CheckedContinuation<UserAct, Never>)?
    private var promptCount = 0
    /// Whether the last act failed; the next one then cancels.
    private var hasFailed = false
    /// Whether the user did not answer the last question of a verification.
    private var isAway = false
    private var interruption: (@Sendable () async -> Void)?
    /// The place of the account that the user takes without an act; nil for an act.
    private var account: Int?
    private var hasTakenAccount = false
    private var offers: [[PublicKeyCredentialUserEntity]] = []
    private var given: [GivenAct] = []
    /// The last act at a prompt that verifies the user, until the gate gets it.
    private let unpresented = Mutex<GivenAct?>(nil)
    /// The number of acts that prompts took from the queue, since ``takeGivenActs()``.
    private var taken = 0

    /// - Parameters:
    ///   - liftsFromReader: whether, under ``Habit/auto``, the user lifts the device and taps again for each request.
    ///   - nature: the user's own acts at a sensor; default: a match.
    ///   - waitUntil: returns at a time of the device's clock, or when the task is cancelled; may advance a simulated
    ///     clock.
    ///   - deadline: the same for a prompt that waits for an act, without advancing a clock; default: `waitUntil`.
    package init(
        habit: Habit, liftsFromReader: Bool = false, nature: any User = ConsentingUser(),
        waitUntil: @escaping @Sendable (Duration) async -> Void,
        deadline: (@Sendable (Duration) async -> Void)? = nil
    ) {
        (self.habit, self.liftsFromReader, self.nature, self.waitUntil) = (habit, liftsFromReader, nature, waitUntil)
        self.deadline = deadline ?? waitUntil
    }

    package func become(_ disposition: Disposition) {
        self.disposition = disposition
        hasFailed = false
    }

    /// Performs an act: at the open prompt if it answers that one, or else at the next one that it answers.
    ///
    /// - Returns: the number of acts before it in the queue; nil when the open prompt got it.
    @discardableResult
    package func tell(_ act: UserAct) -> Int? {
        guard let waiting, act.suits(waiting.prompt.question) else {
            acts.append(act)
            return acts.count - 1
        }
        self.waiting = nil
        waiting.resume.resume(returning: act)
        return nil
    }

    /// Sets the place of the account that the user takes without an act, from 0; nil for an act.
    ///
    /// - Returns: the earlier choice, if no prompt offered that account.
    @discardableResult
    package func take(account: Int?) -> IgnoredAct? {
        defer { (self.account, hasTakenAccount) = (account, false) }
        return hasTakenAccount ? nil : self.account.map { IgnoredAct(idle: .choose($0)) }
    }

    /// Runs an action during the next prompt for which no act is queued.
    package func interrupt(with action: @escaping @Sendable () async -> Void) { interruption = action }

    /// Drops the interruption; returns whether one was pending.
    package func forgetInterruption() -> Bool {
        defer { interruption = nil }
        return interruption != nil
    }

    package var openPrompt: OpenPrompt? { waiting?.prompt }

    package var plannedActs: [UserAct] { acts }

    package func clearQueuedActs() -> [UserAct] {
        defer { acts = [] }
        return acts
    }

    package func confirm(_ prompt: PresencePrompt) async -> PresenceAnswer {
        let open = OpenPrompt(
            asksFor: prompt.isLongTouch ? "long touch" : "touch", relyingPartyID: prompt.relyingPartyID,
            command: prompt.command, deadline: prompt.deadline, question: .touch(isLong: prompt.isLongTouch))
        switch await act(at: open, agreeing: .touch).act {
        case .touchBriefly: return prompt.isLongTouch ? .tooShort : .confirmed
        case .touch, .choose, .sample, .gate(.confirm), .gate(.passcode(correct: true)): return .confirmed
        case .gate(let act) where act.isMatch: return .confirmed
        case .gate(.noAnswer): return .noAnswer
        case .gate: return .declined
        }
    }

    package func verify(_ prompt: VerificationPrompt) async -> GateAct {
        if let next = acts.first, let act = prompt.unasked(before: next.gateAct) { return note(act) }
        // A user who did not answer does not press "Try again" either.
        if isAway, prompt.stage == .paused, acts.isEmpty {
            await waitUntil(prompt.deadline)
            return note(.noAnswer)
        }
        let open = OpenPrompt(
            asksFor: Self.words(prompt), relyingPartyID: prompt.relyingPartyID, command: prompt.command,
            deadline: prompt.deadline, question: .verification(prompt))
        // clientPIN prompts repeat within one ceremony; any other first attempt is a new request.
        if prompt.attempt == 1, prompt.command != .clientPIN { hasFailed = false }
        let answer = await act(at: open, agreeing: .gate(await nature.verify(prompt)))
        switch answer.act {
        case .gate(let act):
            hasFailed = !hasFailed && act.isFailure
            isAway = act == .noAnswer
            return note(act, place: answer.place)
        case .touch, .touchBriefly, .choose, .sample: return note(prompt.agreement, place: answer.place)
        }
    }

    private func note(_ act: GateAct, place: Int? = nil) -> GateAct {
        let new = GivenAct(act: act, place: place)
        given = given.suffix(Self.keptActs - 1) + [new]
        unpresented.withLock { $0 = new }
        return act
    }

    /// The user's act that the gate gets now; nil for an act of the system.
    package nonisolated func takePresented(_ act: GateAct) -> GivenAct? {
        unpresented.withLock { last in
            guard last?.act == act else { return nil }
            defer { last = nil }
            return last
        }
    }

    /// Forgets the acts at prompts that verified the user, and returns them in order.
    package func takeGivenActs() -> [GivenAct] {
        defer { (given, taken) = ([], 0) }
        return given
    }

    package func tapsAgain() -> Bool { habit == .auto && liftsFromReader && disposition.consents }

    private static func words(_ prompt: VerificationPrompt) -> String {
        switch prompt.stage {
        case .deviceCredential: "passcode"
        case .confirming: "confirmation"
        case .paused: "try again"
        case .stopped: "fallback"
        case .challengePhrase: "challenge phrase"
        case .idle, .sensing:
            prompt.modalities.count > 1
                ? prompt.modalities.map(\.rawValue).joined(separator: " or ")
                : prompt.modality?.rawValue ?? "sensor"
        }
    }

    package func enrol(_ prompt: EnrolmentPrompt) async -> EnrollSampleStatus {
        let open = OpenPrompt(
            asksFor: "sample", relyingPartyID: nil, deadline: prompt.deadline, question: .sample)
        switch await act(at: open, agreeing: .sample(.good)).act {
        case .sample(let status): return status
        case .touch, .choose: return .good
        case .touchBriefly: return .tooShort
        case .gate(let act): return act.isMatch ? .good : act.sample == nil ? .noUserActivity : .poorQuality
        }
    }

    /// Forgets the accounts that prompts offered, and returns each list in the prompt's order.
    package func takeOffers() -> [[PublicKeyCredentialUserEntity]] {
        defer { offers = [] }
        return offers
    }

    package func choose(_ prompt: AccountPrompt) async -> Int? {
        offers = offers.suffix(Self.keptOffers - 1) + [prompt.accounts]
        if let account, prompt.accounts.indices.contains(account) {
            hasTakenAccount = true
            return account
        }
        let open = OpenPrompt(
            asksFor: "account", relyingPartyID: prompt.relyingPartyID, deadline: prompt.deadline,
            question: .account(prompt.accounts))
        switch await act(at: open, agreeing: .choose(0)).act {
        case .choose(let index): return index
        case .touch, .touchBriefly, .gate, .sample: return nil
        }
    }

    /// The next act: a queued one, the habit's, or one given while the prompt is open.
    private func act(at prompt: OpenPrompt, agreeing agreement: @autoclosure () async -> UserAct) async -> Answer {
        promptCount += 1
        if acts.isEmpty, let action = interruption {
            interruption = nil
            await action()
            // The interruption may have ended the prompt.
            if Task.isCancelled { return Answer(act: .gate(.cancelByApp), place: nil) }
        }
        let next: UserAct
        var place: Int?
        if acts.first?.suits(prompt.question) == true {
            next = acts.removeFirst()
            taken += 1
            place = taken
        } else if habit == .auto {
            next = disposition.applied(to: await agreement(), hasFailed: hasFailed)
        } else {
            next = await nextInstruction(at: prompt, number: promptCount)
        }
        // No answer takes until the deadline.
        if next == .gate(.noAnswer) || next == .sample(.noUserActivity) { await waitUntil(prompt.deadline) }
        return Answer(act: next, place: place)
    }

    private func nextInstruction(at prompt: OpenPrompt, number: Int) async -> UserAct {
        let deadline = Task { [deadline] in
            await deadline(prompt.deadline)
            self.giveUp(on: number)
        }
        defer { deadline.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: .gate(.cancelByApp)) }
                // The screen shows one prompt at a time: a new one cancels the previous one.
                waiting?.resume.resume(returning: .gate(.cancelBySystem))
                waiting = (number, prompt, continuation)
            }
        } onCancel: {
            Task { await self.withdraw(number) }
        }
    }

    private func giveUp(on number: Int) {
        guard let waiting, waiting.number == number, !Task.isCancelled else { return }
        self.waiting = nil
        waiting.resume.resume(returning: .gate(.noAnswer))
    }

    private func withdraw(_ number: Int) {
        guard let waiting, waiting.number == number else { return }
        self.waiting = nil
        waiting.resume.resume(returning: .gate(.cancelByApp))
    }
}
