extension UserVerificationGate {
    /// Starts a prompt with every sensor that is unlocked, enrolled and strong enough.
    ///
    /// The step is `sensing`, `deviceCredentialRequired` if only that verifies the user, or `refused` with the reason. While
    /// another prompt is open and nothing else refuses, the reason is ``GateFailure/promptInProgress``;
    /// ``makeWay(for:at:)`` ends the open prompt.
    public mutating func begin(_ options: PromptOptions, at now: Duration) -> GateEvent {
        // The event is about the open prompt.
        let sensor = prompt == nil ? leadingSensor(options, at: now) : leadingSensor(at: now)
        return record(.begin(options), about: sensor, at: now) { $0.start(options, at: now) }
    }

    /// Ends the open prompt as ``GateFailure/systemCancelled`` if the policy lets a second one replace it.
    ///
    /// - Returns: nil if no prompt is open. Also nil, and the open prompt stays, if an obstacle keeps the second one from
    ///   opening (AOSP's `BiometricService` looks for obstacles before it cancels the open session).
    public mutating func makeWay(for options: PromptOptions, at now: Duration) -> GateEvent? {
        var other = self
        guard policy.secondPrompt == .replaces, other.begin(options, at: now).step == .refused(.promptInProgress)
        else { return nil }
        return present(.cancelBySystem, at: now)
    }

    /// Applies an act to the open prompt; ignored without one.
    ///
    /// At the prompt's limit or the lockout of its last sensor, the prompt continues with the device credential if that
    /// is allowed, and otherwise ends. If the last failure is the one that offers the fallback, the prompt stops sensing
    /// and waits for the user's choice. Only a match or a correct device credential clears failures, unlocks sensors
    /// or restarts clocks.
    public mutating func present(_ act: GateAct, at now: Duration) -> GateEvent {
        record(.present(act), about: act.modality.map { index(of: $0) }, at: now) { $0.answer(act, at: now) }
    }
}

extension UserVerificationGate {
    private mutating func start(_ options: PromptOptions, at now: Duration) -> GateStep {
        if let refusal = refuseWhilePrompting(at: now) {
            var other = self
            other.prompt = nil
            if case .refused(let obstacle) = other.start(options, at: now) { return .refused(obstacle) }
            return .refused(refusal)
        }
        if isExhausted { return .refused(.lockedOutPermanently) }

        let deadline = now.later(by: policy.promptTimeout)
        guard options.allowsBiometrics else { return askForDeviceCredential(options, until: deadline, at: now) }
        guard let refusal = obstacle(options, at: now) else {
            prompt = Prompt(options: options, deadline: deadline, stage: .sensing)
            return .sensing(sensors[leadingSensor(options, at: now)].modality)
        }
        guard options.admitsDeviceCredential(under: policy) else { return .refused(refusal) }
        guard deviceCredential != nil else {
            // Nothing is set up: report the missing credential.
            return .refused(refusal == .sensorAbsent || refusal == .notEnrolled ? .noDeviceCredential : refusal)
        }
        return askForDeviceCredential(options, until: deadline, at: now)
    }

    private mutating func askForDeviceCredential(
        _ options: PromptOptions, until deadline: Duration, at now: Duration
    ) -> GateStep {
        if let obstacle = obstacleToCredential(at: now) { return .refused(obstacle) }
        prompt = Prompt(options: options, deadline: deadline, stage: credentialStage)
        return askForDeviceCredential()
    }

    private mutating func askForDeviceCredential() -> GateStep {
        let stage = credentialStage
        prompt?.stage = stage
        return stage == .challengePhrase ? .challengePhraseRequired : .deviceCredentialRequired
    }

    private mutating func answer(_ act: GateAct, at now: Duration) -> GateStep {
        guard let prompt else { return .ignored }
        if now >= prompt.deadline { return timeOut(at: now) }
        switch act {
        case .cancelByUser: return end(.failed(.userCancelled))
        case .cancelBySystem: return end(.failed(.systemCancelled))
        case .leaveScreen: return end(.failed(.appLeftScreen))
        case .cancelByApp: return end(.failed(.appCancelled))
        case .powerButton where prompt.stage != .sensing: return end(.failed(.systemCancelled))
        case .noAnswer: return timeOut(at: now)
        case .giveUp where prompt.stage == .deviceCredential || prompt.stage == .challengePhrase:
            return end(.failed(.userCancelled))
        default:
            switch prompt.stage {
            case .idle: return .ignored
            case .sensing: return answerSensing(act, at: now)
            case .confirming: return answerConfirming(act, at: now)
            case .paused: return answerPaused(act, at: now)
            case .stopped: return answerStopped(act)
            case .challengePhrase:
                guard act == .challengePhrase else { return .ignored }
                deviceCredential?.hasMetChallenge = true
                return askForDeviceCredential()
            case .deviceCredential: return answerDeviceCredential(act, at: now)
            }
        }
    }

    private mutating func answerSensing(_ act: GateAct, at now: Duration) -> GateStep {
        guard let options = prompt?.options else { return .ignored }
        // The sensors of a restored prompt may be locked; a locked sensor never verifies.
        if let obstacle = obstacle(options, at: now) { return leaveSensing(obstacle, at: now) }
        switch act {
        case .sample(let sample, let modality):
            let index = modality.map { self.index(of: $0) } ?? leadingSensor(at: now)
            guard index < sensors.count, obstacle(ofSensor: index, options, at: now) == nil else { return .ignored }
            return take(sample, atSensor: index, options, at: now)
        case .powerButton:
            switch policy.powerButton {
            case .systemCancelled: return end(.failed(.systemCancelled))
            case .powerPressed: return end(.failed(.powerPressed))
            case .verifies: return take(.match(), atSensor: leadingSensor(at: now), options, at: now)
            }
        case .sensorError(let error): return leaveSensing(GateFailure(error), at: now)
        case .fallback: return isFallbackOffered ? leaveSensing(.fallbackChosen, at: now) : .ignored
        default:
            return .ignored
        }
    }

    private mutating func take(
        _ sample: Sample, atSensor index: Int, _ options: PromptOptions, at now: Duration
    ) -> GateStep {
        switch sample {
        case .match(let templateID):
            guard let template = sensors[index].match(templateID) else { return fail(atSensor: index, at: now) }
            return match(template.id, atSensor: index, options, at: now)
        case .inattentiveMatch:
            if policy.requiresAttention, sensors[index].modality == .face { return .hint(.lookedAway) }
            return take(.match(), atSensor: index, options, at: now)
        case .nonMatch, .spoof: return fail(atSensor: index, at: now)
        case .badCapture(let hint):
            return policy.badCaptureCounts && !hint.isProgress ? fail(atSensor: index, at: now) : .hint(hint)
        }
    }

    /// The sample matched: failures are cleared, whether or not the user confirms.
    private mutating func match(
        _ templateID: [UInt8], atSensor index: Int, _ options: PromptOptions, at now: Duration
    ) -> GateStep {
        clearFailures(upTo: sensors[index].strengthClass)
        let asks =
            switch policy.confirmation {
            case .required: true
            case .appDecides: options.wantsConfirmation
            case .never: false
            }
        let modality = sensors[index].modality
        guard asks, modality.isPassive else { return verify(modality, templateID, options, at: now) }
        prompt?.stage = .confirming
        prompt?.match = Prompt.Match(sensor: index, templateID: templateID)
        return .confirmationRequired(modality)
    }

    private mutating func answerConfirming(_ act: GateAct, at now: Duration) -> GateStep {
        if let obstacle = obstacleToConfirming(at: now) { return leaveSensing(obstacle, at: now) }
        guard let prompt, let match = prompt.match else { return .ignored }
        switch act {
        case .confirm: return verify(sensors[match.sensor].modality, match.templateID, prompt.options, at: now)
        case .declineConfirmation: return end(.failed(.confirmationDeclined))
        default: return .ignored
        }
    }

    private mutating func verify(
        _ modality: BiometricModality, _ templateID: [UInt8], _ options: PromptOptions, at now: Duration
    ) -> GateStep {
        if options.purpose == .unlock {
            clocks?.unlock = now
            clocks?.biometric = now
        }
        return end(.verified(method: .biometric(modality, templateID: templateID)))
    }

    private mutating func answerDeviceCredential(_ act: GateAct, at now: Duration) -> GateStep {
        guard case .passcode(let correct) = act else { return .ignored }
        if let obstacle = obstacleToCredential(at: now) { return end(.failed(obstacle)) }
        if checkDeviceCredential(correct: correct, at: now) { return end(.verified(method: .deviceCredential)) }
        if let failure = credentialFailure(at: now) { return end(.failed(failure)) }
        let failures = (prompt?.credentialFailures ?? 0).saturatingSuccessor
        prompt?.credentialFailures = failures
        if let limit = policy.credentialAttemptsPerPrompt, failures >= limit { return end(.failed(.wrongCredential)) }
        return credentialStage == .challengePhrase ? askForDeviceCredential() : .tryAgain(fallbackOffered: false)
    }

    private mutating func fail(atSensor index: Int, at now: Duration) -> GateStep {
        chargeFailure(atSensor: index, at: now)
        guard let options = prompt?.options else { return .ignored }
        let failures = (prompt?.failures ?? 0).saturatingSuccessor
        prompt?.failures = failures
        if let obstacle = obstacle(options, at: now) { return leaveSensing(obstacle, at: now) }
        if let limit = policy.attemptsPerPrompt, failures >= limit {
            return stopSensing(options, at: now)
        }
        if pauses(at: now) {
            prompt?.stage = .paused
            return .paused
        }
        return .tryAgain(fallbackOffered: isFallbackOffered)
    }

    /// Whether the prompt waits for "Try again" (AOSP `AuthContainerView.onTryAgainPressed`): its sensors are passive.
    private func pauses(at now: Duration) -> Bool {
        guard policy.passiveSensorsPause, prompt?.options.purpose == .app else { return false }
        let sensing = sensingModalities(at: now)
        return !sensing.isEmpty && sensing.allSatisfy(\.isPassive)
    }

    private mutating func answerPaused(_ act: GateAct, at now: Duration) -> GateStep {
        guard let options = prompt?.options else { return .ignored }
        if let obstacle = obstacle(options, at: now) { return leaveSensing(obstacle, at: now) }
        switch act {
        case .fallback: return isFallbackOffered ? leaveSensing(.fallbackChosen, at: now) : .ignored
        case .tryAgain:
            prompt?.stage = .sensing
            return .sensing(sensors[leadingSensor(at: now)].modality)
        default: return .ignored
        }
    }

    /// Ends the prompt at its limit, unless the last failure offers the fallback, as Face ID does after the second.
    private mutating func stopSensing(_ options: PromptOptions, at now: Duration) -> GateStep {
        let goesOn = options.admitsDeviceCredential(under: policy) && deviceCredential != nil && !isExhausted
        guard !goesOn, options.offersFallback, policy.fallbackOfferedAfter == policy.attemptsPerPrompt else {
            return leaveSensing(.attemptsExhausted, at: now)
        }
        prompt?.stage = .stopped
        return .stopped
    }

    private mutating func answerStopped(_ act: GateAct) -> GateStep {
        switch act {
        case .fallback: end(.failed(.fallbackChosen))
        case .giveUp: end(.failed(.attemptsExhausted))
        default: .ignored
        }
    }

    private mutating func timeOut(at now: Duration) -> GateStep {
        if prompt?.stage == .sensing, pauses(at: now) {
            // The sensor saw no user (AOSP `handleAuthenticationTimedOut`); the prompt waits as long again.
            prompt?.stage = .paused
            prompt?.deadline = now.later(by: policy.promptTimeout)
            return .paused
        }
        if policy.timeoutCounts, let prompt, prompt.stage == .sensing, obstacle(prompt.options, at: now) == nil {
            chargeFailure(atSensor: leadingSensor(at: now), at: now)
        }
        return end(.failed(prompt?.stage == .stopped ? .attemptsExhausted : .timedOut))
    }

    /// Refuses an input during an open prompt; an expired prompt is closed first.
    mutating func refuseWhilePrompting(at now: Duration) -> GateFailure? {
        guard let prompt else { return nil }
        if now < prompt.deadline { return .promptInProgress }
        _ = timeOut(at: now)
        // The screen shows the next prompt in place of a paused one.
        self.prompt = nil
        return nil
    }

    func obstacleToConfirming(at now: Duration) -> GateFailure? {
        guard let prompt, let match = prompt.match, match.sensor < sensors.count else { return .sensorAbsent }
        if let obstacle = obstacle(ofSensor: match.sensor, prompt.options, at: now) { return obstacle }
        return sensors[match.sensor].index(ofTemplate: match.templateID) == nil ? .notEnrolled : nil
    }

    /// Continues with the device credential if allowed; otherwise ends the prompt.
    mutating func leaveSensing(_ failure: GateFailure, at now: Duration) -> GateStep {
        guard !isExhausted, deviceCredential != nil, prompt?.options.admitsDeviceCredential(under: policy) == true
        else { return end(.failed(failure)) }
        if let obstacle = obstacleToCredential(at: now) { return end(.failed(obstacle)) }
        prompt?.match = nil
        return askForDeviceCredential()
    }

    mutating func end(_ outcome: GateOutcome) -> GateStep {
        prompt = nil
        return .ended(outcome)
    }
}
