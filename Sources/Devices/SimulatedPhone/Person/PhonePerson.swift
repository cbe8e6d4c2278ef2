internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

/// The user at a phone.
///
/// Without a plan the user looks at the sensor, matches, confirms and chooses the first account. A plan is a list of acts
/// that prompts take in order, one for each question.
///
/// ```swift
/// import SimulatedPhone
///
/// func plan(on phone: Phone) throws {
///     phone.person.will(.noMatch, times: 2)
///     phone.person.will(.cancel)
/// }
/// ```
public final class PhonePerson: Sendable {
    private let user: ControlledUser
    private let possible: PossibleActs
    let executor: PhoneExecutor
    let desk: AuthorizationDesk
    private let ledger = Mutex(Ledger())

    private struct Ledger {
        /// The acts planned since the last check.
        var planned: [PlannedAct] = []
        /// The planned acts that prompts ignored since the last check.
        var ignored: [IgnoredPlan] = []
        /// Sentences about what cannot be done, or failed.
        var mistakes: [String] = []
        /// The place of an action that no prompt has run yet.
        var action: CodePlace?
        /// What the next prompt shows.
        var sheet: PromptSheet?
        /// What the prompts of apps showed.
        var seen: [PromptSheet] = []
    }

    init(_ user: ControlledUser, possible: PossibleActs, executor: PhoneExecutor, desk: AuthorizationDesk) {
        (self.user, self.possible, self.executor, self.desk) = (user, possible, executor, desk)
    }

    /// Plans an act for the next question of a prompt, after the earlier acts of the plan.
    ///
    /// - Parameters:
    ///   - act: the act.
    ///   - times: the number of questions that get the act; at least 1.
    ///   - file: the file of the call, for the sentences of ``Phone/checkActs()``.
    ///   - line: the line of the call.
    public func will(_ act: PersonAct, times: Int = 1, file: String = #fileID, line: Int = #line) {
        let place = CodePlace(file: file, line: line)
        guard times > 0 else {
            return ledger.withLock {
                $0.mistakes.append("\(place): \(act) is planned \(times) times; plan it at least once")
            }
        }
        let planned = PlannedAct(act: act, place: place, obstacle: possible.obstacle(to: act.act))
        ledger.withLock { $0.planned += Array(repeating: planned, count: times) }
        executor.result { [user] in
            for _ in 0..<times { await user.tell(act.act) }
        }
    }

    /// Plans several acts, one after the other.
    public func will(_ acts: [PersonAct], file: String = #fileID, line: Int = #line) {
        for act in acts { will(act, file: file, line: line) }
    }

    /// Runs an action while the next prompt without a planned act is open, such as a lock of the phone.
    ///
    /// An act of the action on this phone may end the prompt; otherwise the user answers afterwards. ``Phone/checkActs()``
    /// reports an error of the action, and an action that never ran. At the prompt of a synchronous call, such as
    /// `SecItemCopyMatching`, an action that waits for the call's actor is such an error: on the main actor at once, elsewhere after
    /// 30 seconds of real time.
    public func duringNextPrompt(
        file: String = #fileID, line: Int = #line, _ action: @escaping @Sendable () async throws -> Void
    ) {
        let place = CodePlace(file: file, line: line)
        ledger.withLock { ledger in
            if let earlier = ledger.action {
                ledger.mistakes.append(
                    "\(earlier): the action at \(place) replaces this one before a prompt opens; remove one of them")
            }
            ledger.action = place
        }
        executor.result { [user, executor] in
            await user.interrupt {
                self.ledger.withLock { $0.action = nil }
                if let failure = await executor.perform(action) {
                    self.ledger.withLock { $0.mistakes.append("\(place): \(failure)") }
                }
            }
        }
    }

    /// The planned acts that prompts have not taken yet, in the order of the plan.
    public var unusedActs: [PersonAct] {
        executor.result { [user] in await user.plannedActs.map(PersonAct.init) }
    }

    /// The texts of the prompts of apps, also those for passkeys and passwords, oldest first; a verification without a
    /// prompt adds none.
    public var prompts: [PromptSheet] { ledger.withLock { $0.seen } }

    /// Runs an operation whose prompts show something.
    func seeing<Value: Sendable>(_ sheet: PromptSheet, _ operation: () async -> Value) async -> Value {
        ledger.withLock { $0.sheet = sheet }
        defer { ledger.withLock { $0.sheet = nil } }
        return await operation()
    }

    func hear(_ event: AuthenticatorEvent) {
        if case .gate(let move) = event.kind, move.opensPrompt {
            ledger.withLock { ledger in
                ledger.seen += ledger.sheet.map { [$0] } ?? []
                ledger.sheet = nil
            }
        }
        guard let presented = PresentedGateAct(event.kind), let given = user.takePresented(presented.act),
            let ignored = IgnoredPlan(presented, given)
        else { return }
        ledger.withLock { $0.ignored.append(ignored) }
    }

    /// Forgets the plan, and returns a sentence for each part of it without an effect.
    func takeMistakes() -> [String] {
        let unused = executor.result { [user] in
            _ = await user.forgetInterruption()
            _ = await user.takeGivenActs()
            return await user.clearQueuedActs().count
        }
        return ledger.withLock { ledger in
            defer {
                (ledger.planned, ledger.ignored, ledger.mistakes, ledger.action) = ([], [], [], nil)
            }
            var mistakes = ledger.mistakes
            if let place = ledger.action {
                mistakes.append("\(place): no prompt opened for the action; ask for one, or remove the action")
            }
            for ignored in ledger.ignored where ledger.planned.indices.contains(ignored.place) {
                let planned = ledger.planned[ignored.place]
                mistakes.append(
                    "\(planned.place): the prompt ignored \(planned.act): \(ignored.reason); remove the act, or move it"
                )
            }
            return mistakes + PlannedAct.sentences(about: ledger.planned.suffix(unused))
        }
    }
}
