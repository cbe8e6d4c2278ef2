extension UserVerificationGate {
    /// The lockout of the first sensor at a given time.
    public func lockout(at now: Duration) -> Lockout { lockout(ofSensor: 0, at: now) }

    /// The lockout of a modality's sensor, imposed by failures at it or at a sensor of its class or a stronger one.
    public func lockout(of modality: BiometricModality, at now: Duration) -> Lockout {
        lockout(ofSensor: sensors.firstIndex { $0.modality == modality } ?? sensors.count, at: now)
    }

    /// The reason a sensor requires the device credential first; `nil` if it does not.
    public func strongAuthenticationDue(
        for modality: BiometricModality, _ purpose: PromptOptions.Purpose = .app, at now: Duration
    ) -> StrongAuthenticationReason? {
        sensors.firstIndex { $0.modality == modality }
            .flatMap { strongAuthenticationDue(forSensor: $0, purpose, at: now) }
    }

    /// The number of attempts left, as getUVRetries reports it (CTAP 2.3 §6.5.5.3).
    ///
    /// Without a lockout, the permanent limit minus the failures in a row, at the sensor with the most left; 25 for a
    /// policy without a limit. 0 if all sensors are locked, but at least 1 if the device credential can verify the
    /// user. 0 after ``exhaust(at:)``.
    public func attemptsRemaining(at now: Duration) -> Int {
        guard !isExhausted else { return 0 }
        guard !sensors.isEmpty else { return policy.lockout.permanentAt ?? GatePolicy.permanentLockoutRange.upperBound }
        var most = 0
        for index in sensors.indices where sensors[index].strengthClass != .class1 {
            guard lockout(ofSensor: index, at: now) == .none,
                strongAuthenticationDue(forSensor: index, .app, at: now) == nil
            else { continue }
            most = max(most, attemptsRemaining(atSensor: index, at: now))
        }
        if most > 0 { return most }
        guard policy.deviceCredentialFallback, obstacleToCredential(at: now) == nil else { return 0 }
        return max(1, attemptsRemaining(atSensor: 0, at: now))
    }

    /// Locks a sensor, or all of them, permanently, as after too many failed attempts.
    ///
    /// The count does not change. Ignored if the sensor does not exist.
    public mutating func lockOut(_ modality: BiometricModality? = nil, at now: Duration) -> GateEvent {
        record(.lockOut(modality), about: index(of: modality), at: now) { gate in
            guard gate.index(of: modality) < gate.sensors.count else { return .ignored }
            for index in gate.sensors.indices where modality == nil || gate.sensors[index].modality == modality {
                gate.sensors[index].imposedLockout = .permanent
            }
            return gate.settle(at: now)
        }
    }

    /// Uses up all retries: CTAP's uvRetries becomes 0 because pinRetries is 0 (CTAP 2.3 §6.5).
    ///
    /// No prompt verifies, even with the device credential, until ``refill(at:)`` or a correct
    /// ``enterDeviceCredential(correct:at:)``.
    public mutating func exhaust(at now: Duration) -> GateEvent {
        record(.exhaust, at: now) { gate in
            gate.isExhausted = true
            return gate.settle(at: now)
        }
    }

    /// Restores all retries and clears every lockout, as a correct PIN does with CTAP's uvRetries.
    public mutating func refill(at now: Duration) -> GateEvent {
        record(.refill, at: now) { gate in
            gate.clearFailures(upTo: .class3)
            return .changed
        }
    }

    /// Switches the device off and on: an open prompt ends, and the policy's power-cycle rules apply.
    public mutating func powerCycle(at now: Duration) -> GateEvent {
        record(.powerCycle, at: now) { gate in
            let step: GateStep = gate.prompt == nil ? .changed : gate.end(.failed(.systemCancelled))
            if gate.policy.powerCycleClearsLockout {
                for index in gate.sensors.indices { gate.sensors[index].clearFailures() }
            }
            if let rules = gate.policy.credentialLockout { gate.deviceCredential?.restart(under: rules, at: now) }
            if gate.policy.powerCycleRequiresCredential, gate.deviceCredential != nil {
                gate.requiredCredential = .restart
            }
            return step
        }
    }
}

extension UserVerificationGate {
    /// The index of a modality's sensor, or of the first one; past the end if it does not exist.
    func index(of modality: BiometricModality?) -> Int {
        guard let modality else { return 0 }
        return sensors.firstIndex { $0.modality == modality } ?? sensors.count
    }

    func lockoutPolicy(ofSensor index: Int) -> LockoutPolicy { sensors[index].lockoutPolicy ?? policy.lockout }

    func failures(ofSensor index: Int) -> Int { index < sensors.count ? sensors[index].consecutiveFailures : 0 }

    /// The combined lockout of all sensors of a class or a stronger one.
    func lockout(ofSensor index: Int, at now: Duration) -> Lockout {
        if isExhausted { return .exhausted }
        guard index < sensors.count else { return .none }
        let strength = sensors[index].strengthClass.rawValue
        var lockout = Lockout.none
        for other in sensors.indices where sensors[other].strengthClass.rawValue >= strength {
            let imposed = sensors[other].imposedLockout.remaining(at: now)
            if imposed != .none { lockout = lockout.joined(with: imposed) }
        }
        return lockout
    }

    func strongAuthenticationDue(
        forSensor index: Int, _ purpose: PromptOptions.Purpose, at now: Duration
    ) -> StrongAuthenticationReason? {
        // A missing credential cannot be entered, so it is never due.
        guard deviceCredential != nil else { return nil }
        if let requiredCredential { return requiredCredential }
        guard let clocks, purpose == .unlock || policy.strongAuthenticationAt == .everyPrompt else { return nil }
        let strength = sensors[index].strengthClass
        let failures = sensors[index].consecutiveFailures
        for place in policy.strongAuthentication.indices where policy.strongAuthentication[place].binds(strength) {
            guard policy.strongAuthentication[place].holds(clocks, failures: failures, at: now) else { continue }
            return policy.strongAuthentication[place].failures == nil ? .time : .failures
        }
        return nil
    }

    /// The obstacle at a sensor for these options: hardware first, then enrolment, then lockouts.
    func obstacle(ofSensor index: Int, _ options: PromptOptions, at now: Duration) -> GateFailure? {
        guard sensors[index].availability != .absent else { return .sensorAbsent }
        guard options.accept(sensors[index].strengthClass) else { return .strengthInsufficient }
        if let obstacle = GateFailure(sensors[index].availability) { return obstacle }
        if sensors[index].templates.isEmpty { return .notEnrolled }
        if policy.sensorsNeedCredential, deviceCredential == nil { return .noDeviceCredential }
        if let obstacle = GateFailure(lockout(ofSensor: index, at: now)) { return obstacle }
        return strongAuthenticationDue(forSensor: index, options.purpose, at: now).map { .strongAuthenticationDue($0) }
    }

    /// The obstacle at every sensor; `nil` if one sensor is unlocked.
    func obstacle(_ options: PromptOptions, at now: Duration) -> GateFailure? {
        var least: GateFailure?
        for index in sensors.indices {
            guard let obstacle = obstacle(ofSensor: index, options, at: now) else { return nil }
            if obstacle.severity < least?.severity ?? .max { least = obstacle }
        }
        return least ?? .sensorAbsent
    }

    /// The first sensor that can verify the user in the open prompt, or else the first sensor.
    func leadingSensor(at now: Duration) -> Int {
        guard sensors.count > 1, let prompt else { return 0 }
        if let match = prompt.match { return match.sensor }
        return leadingSensor(prompt.options, at: now)
    }

    func leadingSensor(_ options: PromptOptions, at now: Duration) -> Int {
        guard sensors.count > 1 else { return 0 }
        return sensors.indices.first { obstacle(ofSensor: $0, options, at: now) == nil } ?? 0
    }

    mutating func chargeFailure(atSensor index: Int, at now: Duration) {
        let policy = lockoutPolicy(ofSensor: index)
        let failures = min(sensors[index].consecutiveFailures.saturatingSuccessor, policy.permanentAt ?? .max)
        sensors[index].consecutiveFailures = failures
        if failures == policy.permanentAt {
            sensors[index].imposedLockout = .permanent
        } else if policy.imposesTimedLockout(at: failures) {
            sensors[index].imposedLockout = .timed(until: now.later(by: policy.timedDuration))
        }
    }

    mutating func clearFailures(upTo strength: StrengthClass) {
        for index in sensors.indices where sensors[index].strengthClass.rawValue <= strength.rawValue {
            sensors[index].clearFailures()
        }
        if strength == .class3 { isExhausted = false }
    }

    private func attemptsRemaining(atSensor index: Int, at now: Duration) -> Int {
        let policy = lockoutPolicy(ofSensor: index)
        let limit = policy.permanentAt ?? GatePolicy.permanentLockoutRange.upperBound
        if policy.expiryClearsCount, case .timed(let until) = sensors[index].imposedLockout, now >= until {
            return limit
        }
        return policy.permanentAt == nil ? limit : max(0, limit - sensors[index].consecutiveFailures)
    }
}
