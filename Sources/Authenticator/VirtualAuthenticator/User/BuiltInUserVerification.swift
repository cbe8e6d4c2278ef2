public import Biometrics
internal import CTAP
public import Causes

/// The result of a prompt at the gate.
public enum UserVerificationResult: Hashable, Sendable {
    /// The user was verified.
    case verified(VerificationMethod)
    /// The prompt ended without verification.
    case failed(GateFailure)
    /// The prompt was not shown.
    case refused(GateFailure)

    /// The outcome as a cause, such as `verified.biometric` or `lockedOut.permanent`.
    public var cause: Cause {
        switch self {
        case .verified(let method): GateOutcome.verified(method: method).cause
        case .failed(let failure): failure.cause
        case .refused(let refusal): refusal.cause
        }
    }
}

/// The reason built-in user verification failed.
enum BuiltInUVFailure: Error, Sendable {
    /// No retries are left, or a lockout is in force.
    case blocked(Cause)
    case timedOut
    /// The user or the system dismissed the prompt.
    case declined(Cause)
    /// The attempts did not match.
    case failed(Cause)
    /// The platform cancelled, or the device lost power.
    case interrupted(Refusal)

    var cause: Cause {
        switch self {
        case .blocked(let cause), .declined(let cause), .failed(let cause): cause
        case .timedOut: .timedOut
        case .interrupted(let refusal): refusal.cause
        }
    }
}

extension VirtualAuthenticator {
    /// The built-in user verification attempts left, as getUVRetries reports them.
    var uvRetries: Int {
        guard !state.pin.isBlocked else { return 0 }
        return state.gate?.attemptsRemaining(at: now) ?? 0
    }

    /// performBuiltInUv (CTAP 2.3 §6.5.3.1): one prompt at the gate, which counts its own attempts.
    private func performBuiltInUV(
        _ context: CommandContext, relyingPartyID: String?
    ) async throws(BuiltInUVFailure) -> VerificationMethod {
        if claimsVerification { return try await confirmInPlaceOfVerification(context, relyingPartyID: relyingPartyID) }
        // With the PIN permanently blocked, nothing can restore the retries.
        if state.pin.isBlocked, let event = state.gate?.exhaust(at: now) { record(.gate(event)) }
        let result: UserVerificationResult
        do {
            result = try await prompt(
                context, relyingPartyID: relyingPartyID,
                options: PromptOptions(allowsDeviceCredential: environment.admitsDeviceCredential()))
        } catch {
            throw .interrupted(error)
        }
        switch result {
        case .verified(let method):
            state.settings.uvCountSinceLastPINEntry += 1
            return method
        case .failed(let failure):
            // Failed attempts count, too (CTAP 2.3 §6.4, uvCountSinceLastPinEntry).
            state.settings.uvCountSinceLastPINEntry += 1
            throw BuiltInUVFailure(failure, retriesLeft: uvRetries)
        case .refused(let refusal): throw BuiltInUVFailure(refusal, retriesLeft: 0)
        }
    }

    /// A click or a touch, after which a faulty device claims that it verified the user.
    private func confirmInPlaceOfVerification(
        _ context: CommandContext, relyingPartyID: String?
    ) async throws(BuiltInUVFailure) -> VerificationMethod {
        let answer: PresenceAnswer
        do {
            answer = try await askForPresence(context, relyingPartyID: relyingPartyID)
        } catch {
            throw .interrupted(error)
        }
        switch answer {
        case .confirmed: return .deviceCredential
        case .tooShort, .declined: throw .declined(.userCancelled)
        case .noAnswer: throw .timedOut
        }
    }

    /// `status` gives the status of a verification that neither timed out nor was interrupted.
    func verifyAtSensor(
        _ context: CommandContext, relyingPartyID: String?, step: Int? = nil, status: (BuiltInUVFailure) -> CTAPStatus
    ) async throws(Refusal) -> VerificationMethod {
        do {
            return try await performBuiltInUV(context, relyingPartyID: relyingPartyID)
        } catch {
            let reason = context.builtInUVReason(error.cause, step: step)
            throw switch error {
            case .interrupted(let refusal): refusal
            case .timedOut: Refusal(.userActionTimeout, reason)
            case .blocked, .declined, .failed: Refusal(status(error), reason)
            }
        }
    }

    /// Verifies the user for an app on the device, as LAContext or BiometricPrompt do, outside any CTAP command.
    ///
    /// - Returns: nil when the app cancelled the task or the power was lost.
    public func verifyUser(_ options: PromptOptions) async -> UserVerificationResult? {
        try? await prompt(.app, relyingPartyID: nil, options: options)
    }

    private func prompt(
        _ context: CommandContext, relyingPartyID: String?, options: PromptOptions
    ) async throws(Refusal) -> UserVerificationResult {
        let open = OpenPrompt()
        var step = begin(options, as: open)
        defer { if openPrompt === open { openPrompt = nil } }
        var attempt = 0
        // A user whose acts the prompt keeps ignoring counts as absent.
        var ignoredActsLeft = 100
        while true {
            switch step {
            case .ended(.verified(let method)): return .verified(method)
            case .ended(.failed(let failure)): return .failed(failure)
            case .refused(let refusal): return .refused(refusal)
            // Another event, such as a broken sensor, has ended the prompt.
            case .ignored where state.gate?.stage == .idle: return .failed(open.failure ?? .sensorFailed)
            case .ignored: ignoredActsLeft -= 1
            case .sensing, .hint, .tryAgain, .paused, .stopped, .confirmationRequired, .challengePhraseRequired,
                .deviceCredentialRequired, .changed:
                break
            }
            attempt += 1
            let act = ignoredActsLeft > 0 ? try await nextAct(context, relyingPartyID, attempt, open) : .noAnswer
            // The event that ended the prompt determined the result; a later act does not change it.
            if let failure = open.failure { return .failed(failure) }
            if open.hasMoved, state.gate?.stage ?? .idle != .idle {
                // The answer belongs to an earlier question.
                open.hasMoved = false
                continue
            }
            step = move { $0.present(act, at: $1) }
        }
    }

    /// Opens a prompt; it replaces the open one.
    private func begin(_ options: PromptOptions, as prompt: OpenPrompt) -> GateStep {
        if var gate = state.gate, let event = gate.makeWay(for: options, at: now) {
            adopt(gate, after: event)
            openPrompt?.end(event.step)
        }
        let step = move { $0.begin(options, at: $1) }
        if case .refused = step { return step }
        // The gate drops a prompt whose time is over.
        openPrompt?.end(.ended(.failed(.timedOut)))
        openPrompt = prompt
        return step
    }

    private func nextAct(
        _ context: CommandContext, _ relyingPartyID: String?, _ attempt: Int, _ open: OpenPrompt
    ) async throws(Refusal) -> GateAct {
        let modalities = state.gate?.sensingModalities(at: now) ?? []
        let prompt = VerificationPrompt(
            command: context.command, relyingPartyID: relyingPartyID, stage: state.gate?.stage ?? .idle,
            modality: modalities.first ?? state.gate?.sensor?.modality, modalities: modalities, attempt: attempt,
            isFallbackOffered: state.gate?.isFallbackOffered ?? false,
            deadline: state.gate?.promptDeadline ?? now + configuration.userActionTimeout)
        do {
            return try await waitForUser(context.request) { await answer(to: prompt, open) }
        } catch {
            // By now the gate's prompt may belong to another command or app.
            if error != Self.powerLost, openPrompt === open { _ = move { $0.present(.cancelByApp, at: $1) } }
            throw error
        }
    }

    /// The user's act, or none when the prompt ended in the meantime.
    private func answer(to prompt: VerificationPrompt, _ open: OpenPrompt) async -> GateAct {
        let question = Task(executorPreference: environment.executor) { await self.environment.user.verify(prompt) }
        open.question = question
        defer { open.question = nil }
        return await withTaskCancellationHandler {
            await question.value
        } onCancel: {
            question.cancel()
        }
    }

    private func move(_ change: (inout UserVerificationGate, Duration) -> GateEvent) -> GateStep {
        guard var gate = state.gate else { return .refused(.sensorAbsent) }
        let event = change(&gate, now)
        // A failed attempt stays failed, even if the device crashes before it answers.
        adopt(gate, after: event)
        return event.step
    }

    private func adopt(_ gate: UserVerificationGate, after event: GateEvent) {
        state.gate = gate
        record(.gate(event))
        if event.erasesDevice { eraseCredentials() }
        commitOutsideCommand()
    }

    /// Changes the gate outside a command, as when a finger is enrolled or the sensor breaks.
    ///
    /// - Returns: the change; nil without a gate.
    /// - Throws: `GateError` when the gate refuses the change; it is then unchanged.
    @discardableResult
    public func changeGate(
        _ change: @Sendable (inout UserVerificationGate, Duration) throws(GateError) -> GateEvent
    ) throws(GateError) -> GateEvent? {
        guard var gate = state.gate else { return nil }
        let event = try change(&gate, now)
        let stageBefore = state.gate?.stage ?? .idle
        adopt(gate, after: event)
        if stageBefore != .idle, gate.stage != stageBefore {
            if gate.stage == .idle { openPrompt?.end(event.step) } else { openPrompt?.move() }
        }
        return event
    }
}

extension BuiltInUVFailure {
    /// - Parameter retriesLeft: the attempts left at the sensor; 0 for a prompt that was not shown.
    fileprivate init(_ failure: GateFailure, retriesLeft: Int) {
        switch failure {
        case .timedOut: self = .timedOut
        case .userCancelled, .systemCancelled, .appLeftScreen, .appCancelled, .fallbackChosen, .confirmationDeclined,
            .powerPressed:
            self = .declined(failure.cause)
        case .lockedOut, .lockedOutPermanently: self = .blocked(failure.cause)
        // The sensor may have attempts left where the credential has none.
        case .credentialLockedOut, .credentialLockedOutPermanently, .credentialNeedsRestart, .strongAuthenticationDue:
            self = retriesLeft == 0 ? .blocked(failure.cause) : .failed(failure.cause)
        case .attemptsExhausted, .wrongCredential, .noDeviceCredential, .sensorAbsent, .sensorBusy, .sensorFailed,
            .disabledByPolicy, .sensorDisconnected, .sensorNotPaired, .permissionDenied, .securityUpdateRequired,
            .sensorPrivacy, .unableToProcess, .noSpace, .vendorError, .reEnrolRequired, .unknownError,
            .strengthInsufficient, .notEnrolled, .promptInProgress:
            self = .failed(failure.cause)
        }
    }
}
