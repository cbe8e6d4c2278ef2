internal import Biometrics
internal import CTAP
package import Conformance
package import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

extension AuthenticatorBench {
    /// The user answers the next request in this way: a person gets an instruction, and a simulated user gets a
    /// planned act.
    ///
    /// A simulated user who does not answer lets the time of the request pass at once.
    ///
    /// - Throws: `CaseStop` where the user of the device does not see the instructions.
    package func user(_ act: ManualAct) async throws(CaseStop) {
        guard let person = link.simulation?.person else { return try instruct(act) }
        switch act {
        // A simulated user agrees without a plan.
        case .touch, .verify, .replug, .tap: break
        case .withholdTouch: await person.tell(.gate(.noAnswer))
        case .fail: await person.tell(.gate(.nonMatch))
        }
    }

    /// The user declines the next request; only a simulated user can.
    package func userDeclines() async throws { try await simulatedUser.tell(.gate(.cancelByUser)) }

    /// The simulated user taps no more in the case.
    func userTapsNoMore() async throws { await (try simulatedUser).become(ControlledUser.Disposition(consents: false)) }

    /// The simulated user agrees to the next request after a span of real time, which the timers of a link count in.
    func userAgrees(after span: Duration) async throws {
        await (try simulatedUser).interrupt { try? await Task.sleep(for: span) }
    }

    package var simulatedUser: ControlledUser {
        get throws {
            guard let person = link.simulation?.person else { throw CaseStop.notRun("the device is not simulated") }
            return person
        }
    }

    package var simulatedDevice: SimulatedDevice {
        get throws {
            guard let device = link.simulation?.device else { throw CaseStop.notRun("the device is not simulated") }
            return device
        }
    }

    /// The simulated user leaves the next request open until it is cancelled; a person is asked not to touch.
    ///
    /// - Throws: `CaseStop` where the user of the device does not see the instructions.
    package func userWaits() async throws(CaseStop) {
        guard let person = link.simulation?.person else { return try instruct(.withholdTouch) }
        await person.interrupt { await Self.untilCancelled() }
    }

    func instruct(_ act: ManualAct) throws(CaseStop) {
        guard act != .withholdTouch || !link.isTouchedByTap else {
            throw .notRun("over NFC the tap is the touch, which is not withheld")
        }
        if act == .withholdTouch { state.withLock { $0.isTouchWithheld = true } }
        guard act != .withholdTouch || settings.touching == nil else { return }
        guard act != .withholdTouch || link.canWithholdTouch else { throw .notRun("the key is always touched") }
        guard link.isAtHand else { throw .notRun("the user of this device gets no instructions") }
        settings.instruct(act.rawValue)
    }

    /// Notes a deviation unless the authenticator asked for a touch before an answer; over NFC the tap is the touch.
    ///
    /// - Throws: `CaseStop` for a key that is always touched and answers before a keepalive is due.
    func expectTouchRequest(before answer: AuthenticatorAnswer) throws(CaseStop) {
        guard !link.isTouchedByTap else { return }
        if settings.isAlwaysTouched, !isSimulated, answer.keepalives.isEmpty, answer.duration < Self.keepaliveInterval {
            throw .notRun(
                "the key is touched at once, and answers before a keepalive is due; run without --always-touched")
        }
        expect(
            answer.askedForUser, "a keepalive with STATUS_UPNEEDED (2)",
            seen: answer.keepalives.isEmpty ? "no keepalive" : "\(answer.keepalives.map(\.rawValue))")
    }

    /// The time between two keepalives (CTAP 2.3 §11.2.9.1.7).
    private static let keepaliveInterval = Duration.milliseconds(100)

    /// Notes a deviation where the authenticator asked for a touch that its token had shown already.
    func expectNoTouchRequest(before answer: AuthenticatorAnswer) {
        expect(!answer.askedForUser, "no request for a touch", seen: "a keepalive that asks for one", level: .should)
    }

    /// Touches the key, or asks a person to.
    ///
    /// - Returns: the running act of a machine; nil without one.
    func askForTouch() -> Task<Void, any Error>? {
        if settings.touching != nil { return askForMachineTouch() }
        let isWithheld = state.withLock(\.isTouchWithheld)
        if !isSimulated, !isWithheld, link.isAtHand, link.canWithholdTouch {
            settings.instruct(ManualAct.touch.rawValue)
        }
        return nil
    }

    /// Starts the touch of a machine; nil without one, and where the case withholds the touch.
    func askForMachineTouch() -> Task<Void, any Error>? {
        guard let touching = settings.touching, !state.withLock(\.isTouchWithheld) else { return nil }
        return Task { try await touching.touch() }
    }

    /// Waits for the touch of a machine where there is one, and ends it.
    ///
    /// - Throws: `CaseStop` where the machine did not do its work.
    func endTouch(_ touch: Task<Void, any Error>?) async throws {
        if let touch { try await touched(by: touch) {} }
    }

    /// Does some work while the touch of a machine lasts.
    ///
    /// - Throws: `CaseStop` where the machine did not do its work, otherwise the errors of the work.
    func touched<Result: Sendable>(
        by touch: Task<Void, any Error>, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        do {
            try await withTaskCancellationHandler {
                try await touch.value
            } onCancel: {
                touch.cancel()
            }
        } catch {
            throw machineFailed("\(error)")
        }
        let result = try await work()
        do {
            try await settings.touching?.release?()
        } catch {
            throw machineFailed("\(error)")
        }
        return result
    }

    /// Notes that the machine did not do its work, which ends the run.
    func machineFailed(_ failure: String) -> CaseStop {
        state.withLock { $0.machineFailure = failure }
        return .notRun(failure)
    }

    func forgetPlannedActs() async {
        state.withLock { $0.isTouchWithheld = false }
        guard let person = link.simulation?.person else { return }
        _ = await person.clearQueuedActs()
        _ = await person.forgetInterruption()
        await person.become(ControlledUser.Disposition())
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        // The iteration ends with the task.
        for await _ in stream {}
        continuation.finish()
    }
}
