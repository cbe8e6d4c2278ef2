extension UserVerificationGate {
    /// Starts a prompt.
    ///
    /// - Returns: an event whose step is `sensing`; `deviceCredentialRequired` when the sensor cannot be used but the
    ///   device credential may stand in; or `refused` with the reason. A prompt that is still up refuses another.
    public mutating func begin(_ options: PromptOptions, at now: Duration) -> GateEvent {
        record(.begin(options), at: now) { $0.start(options, at: now) }
    }

    /// Answers the prompt that is up; without one, the act is ignored.
    ///
    /// When the prompt's limit or a lockout is reached, it goes on to the device credential where that may stand in,
    /// and ends where it may not.
    public mutating func present(_ act: GateAct, at now: Duration) -> GateEvent {
        record(.present(act), at: now) { $0.answer(act, at: now) }
    }
}

extension UserVerificationGate {
    private mutating func start(_ options: PromptOptions, at now: Duration) -> GateStep {
        if let refusal = refuseWhilePrompting(at: now) { return .refused(refusal) }
        if imposedLockout == .exhausted { return .refused(.lockedOutPermanently) }

        let deadline = now.later(by: policy.promptTimeout)
        guard let refusal = obstacle(at: now)?.refusal else { return sense(options, until: deadline) }
        guard policy.deviceCredentialFallback, options.allowsDeviceCredential else { return .refused(refusal) }
        guard deviceCredential != nil else {
            // Nothing at all is set up: the missing credential is what the person is told about.
            return .refused(refusal == .sensorAbsent || refusal == .notEnrolled ? .noDeviceCredential : refusal)
        }
        prompt = Prompt(options: options, deadline: deadline, stage: .deviceCredential)
        return .deviceCredentialRequired
    }

    private mutating func answer(_ act: GateAct, at now: Duration) -> GateStep {
        guard let prompt else { return .ignored }
        if now >= prompt.deadline { return timeOut(at: now) }
        switch act {
        case .cancelByUser: return end(.failed(.userCancelled))
        case .cancelBySystem: return end(.failed(.systemCancelled))
        case .cancelByApp: return end(.failed(.appCancelled))
        case .noAnswer: return timeOut(at: now)
        default:
            switch prompt.stage {
            case .sensing: return answerSensing(act, at: now)
            case .deviceCredential: return answerDeviceCredential(act)
            }
        }
    }

    private mutating func answerSensing(_ act: GateAct, at now: Duration) -> GateStep {
        // A prompt restored from storage may find its sensor closed; a closed sensor never verifies.
        if let obstacle = obstacle(at: now) { return leaveSensing(obstacle.failure) }
        switch act {
        case .match(let templateID):
            guard let sensor, let template = sensor.match(templateID) else { return fail(at: now) }
            clearFailures()
            return end(.verified(method: .biometric(sensor.modality, templateID: template.id)))
        case .nonMatch, .spoof:
            return fail(at: now)
        case .badCapture(let hint):
            return policy.badCaptureCounts ? fail(at: now) : .hint(hint)
        case .fallback:
            return isFallbackOffered ? leaveSensing(.fallbackChosen) : .ignored
        default:
            return .ignored
        }
    }

    private mutating func answerDeviceCredential(_ act: GateAct) -> GateStep {
        guard case .passcode(let correct) = act else { return .ignored }
        if checkDeviceCredential(correct: correct) { return end(.verified(method: .deviceCredential)) }
        let failures = (prompt?.credentialFailures ?? 0).saturatingSuccessor
        prompt?.credentialFailures = failures
        if let limit = policy.credentialAttemptsPerPrompt, failures >= limit { return end(.failed(.wrongCredential)) }
        return .tryAgain(fallbackOffered: false)
    }

    private mutating func fail(at now: Duration) -> GateStep {
        chargeFailure(at: now)
        let failures = (prompt?.failures ?? 0).saturatingSuccessor
        prompt?.failures = failures
        if let obstacle = SensorObstacle(imposedLockout) { return leaveSensing(obstacle.failure) }
        if let limit = policy.attemptsPerPrompt, failures >= limit { return leaveSensing(.attemptsExhausted) }
        return .tryAgain(fallbackOffered: isFallbackOffered)
    }

    private mutating func chargeFailure(at now: Duration) {
        consecutiveFailures = min(consecutiveFailures.saturatingSuccessor, policy.permanentLockoutAt)
        if consecutiveFailures == policy.permanentLockoutAt {
            imposedLockout = .permanent
        } else if let every = policy.timedLockoutEvery, consecutiveFailures.isMultiple(of: every) {
            imposedLockout = .timed(until: now.later(by: policy.timedLockoutDuration))
        }
    }

    private mutating func timeOut(at now: Duration) -> GateStep {
        if policy.timeoutCounts, stage == .sensing, obstacle(at: now) == nil { chargeFailure(at: now) }
        return end(.failed(.timedOut))
    }

    private mutating func sense(_ options: PromptOptions, until deadline: Duration) -> GateStep {
        guard let sensor else { return .refused(.sensorAbsent) }
        prompt = Prompt(options: options, deadline: deadline, stage: .sensing)
        return .sensing(sensor.modality)
    }

    /// Refuses what cannot happen under a prompt; one that nobody closed in time is closed first.
    mutating func refuseWhilePrompting(at now: Duration) -> GateRefusal? {
        guard let prompt else { return nil }
        if now < prompt.deadline { return .promptInProgress }
        _ = timeOut(at: now)
        return nil
    }

    /// Goes on to the device credential where it may stand in, and ends where it may not.
    mutating func leaveSensing(_ failure: GateFailure) -> GateStep {
        guard imposedLockout != .exhausted, policy.deviceCredentialFallback, deviceCredential != nil,
            prompt?.options.allowsDeviceCredential == true
        else { return end(.failed(failure)) }
        prompt?.stage = .deviceCredential
        return .deviceCredentialRequired
    }

    mutating func end(_ outcome: GateOutcome) -> GateStep {
        prompt = nil
        return .ended(outcome)
    }
}
