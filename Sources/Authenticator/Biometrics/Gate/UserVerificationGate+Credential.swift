extension UserVerificationGate {
    /// The user enters the device credential on the unlock screen, outside a prompt.
    ///
    /// A correct entry clears the failures and every lockout, and restarts the clocks of strong authentication. The
    /// entry is refused without a check during a prompt, where the credential is an act, and during its own lockout.
    public mutating func enterDeviceCredential(correct: Bool, at now: Duration) -> GateEvent {
        record(.enterDeviceCredential(correct: correct), at: now) { gate in
            if let refusal = gate.refuseWhilePrompting(at: now) { return .refused(refusal) }
            guard let credential = gate.deviceCredential else { return .refused(.noDeviceCredential) }
            if let obstacle = credential.obstacle(at: now) { return .refused(obstacle) }
            if gate.checkDeviceCredential(correct: correct, at: now) {
                return .ended(.verified(method: .deviceCredential))
            }
            return .ended(.failed(gate.credentialFailure(at: now) ?? .wrongCredential))
        }
    }

    /// Sets or changes the device credential; its count of wrong entries starts at 0.
    ///
    /// Setting it counts as entering it: the clocks of strong authentication restart, and it is no longer due.
    /// Failures and lockouts stay.
    public mutating func setDeviceCredential(_ kind: DeviceCredential.Kind, at now: Duration) -> GateEvent {
        record(.setDeviceCredential(kind), at: now) { gate in
            gate.deviceCredential = DeviceCredential(kind: kind)
            gate.noteCredential(at: now)
            return .changed
        }
    }

    /// Removes the device credential and the keys that need it.
    ///
    /// Templates stay, but the sensors' binding generations change unless the policy's rule is `never`: removing the
    /// secure lock screen invalidates keys bound to biometrics.
    public mutating func removeDeviceCredential(at now: Duration) -> GateEvent {
        record(.removeDeviceCredential, at: now) { gate in
            guard gate.deviceCredential != nil else { return .ignored }
            gate.deviceCredential = nil
            gate.requiredCredential = nil
            gate.killBoundKeys()
            return gate.settle(at: now)
        }
    }

    /// Requires the device credential before any sensor verifies again.
    ///
    /// An open prompt continues with the device credential if allowed, and otherwise ends. Ignored if none is set.
    public mutating func requireCredential(_ reason: StrongAuthenticationReason, at now: Duration) -> GateEvent {
        record(.requireCredential(reason), at: now) { gate in
            guard gate.deviceCredential != nil else { return .ignored }
            gate.requiredCredential = reason
            return gate.settle(at: now)
        }
    }
}

extension UserVerificationGate {
    mutating func checkDeviceCredential(correct: Bool, at now: Duration) -> Bool {
        guard !correct else {
            deviceCredential?.failedAttempts = 0
            clearFailures(upTo: .class3)
            noteCredential(at: now)
            return true
        }
        let failures = (deviceCredential?.failedAttempts ?? 0).saturatingSuccessor
        deviceCredential?.failedAttempts = failures
        guard let policy = policy.credentialLockout else { return false }
        if let end = policy.permanentAt, failures >= end {
            deviceCredential?.isDisabled = true
        } else if let delay = policy.delay(after: failures) {
            deviceCredential?.lockedUntil = now.later(by: delay)
        }
        return false
    }

    /// The failure caused by the last wrong entry; erases the device if the policy says so.
    mutating func credentialFailure(at now: Duration) -> GateFailure? {
        guard let failure = deviceCredential?.obstacle(at: now) else { return nil }
        if failure == .credentialLockedOutPermanently, policy.credentialLockout?.permanentErases == true { erase() }
        return failure
    }

    private mutating func erase() {
        deviceCredential = nil
        requiredCredential = nil
        for index in sensors.indices where !sensors[index].templates.isEmpty {
            sensors[index].templates = []
            sensors[index].noteChange(.removedAll, under: .anyChange)
        }
        clearFailures(upTo: .class3)
    }

    private mutating func killBoundKeys() {
        guard policy.invalidationRule != .never else { return }
        for index in sensors.indices { sensors[index].bindingGeneration &+= 1 }
    }

    private mutating func noteCredential(at now: Duration) {
        requiredCredential = nil
        clocks?.credential = now
        clocks?.unlock = now
    }

    /// After a change from outside: a prompt stays open unless its condition can no longer be met.
    mutating func settle(at now: Duration) -> GateStep {
        guard let prompt else { return .changed }
        switch prompt.stage {
        case .sensing:
            if let obstacle = obstacle(prompt.options, at: now) { return leaveSensing(obstacle, at: now) }
        case .confirming:
            if let obstacle = obstacleToConfirming(at: now) { return leaveSensing(obstacle, at: now) }
        case .idle, .stopped: break
        case .deviceCredential:
            if deviceCredential == nil { return end(.failed(.noDeviceCredential)) }
            if isExhausted { return end(.failed(.lockedOutPermanently)) }
        }
        return .changed
    }
}

extension Int {
    /// The next number; stays at the maximum.
    var saturatingSuccessor: Int { self == .max ? self : self + 1 }
}
