extension UserVerificationGate {
    /// The user enters the device credential on the unlock screen, outside a prompt.
    ///
    /// The user types the challenge phrase where the screen asks for it. A correct entry clears the failures and every
    /// lockout, and restarts the clocks of strong authentication. The entry is refused without a check during a prompt,
    /// where the credential is an act, and during its own lockout.
    public mutating func enterDeviceCredential(correct: Bool, at now: Duration) -> GateEvent {
        record(.enterDeviceCredential(correct: correct), at: now) { gate in
            if let refusal = gate.refuseWhilePrompting(at: now) { return .refused(refusal) }
            if let obstacle = gate.obstacleToCredential(at: now) { return .refused(obstacle) }
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

    /// Replaces the device credential without knowing it, as an administrator does.
    ///
    /// Templates stay, but the sensors' binding generations change unless the policy's rule is `never`.
    public mutating func resetDeviceCredential(_ kind: DeviceCredential.Kind, at now: Duration) -> GateEvent {
        record(.resetDeviceCredential(kind), at: now) { gate in
            gate.invalidateBoundKeys()
            gate.deviceCredential = DeviceCredential(kind: kind)
            gate.noteCredential(at: now)
            return gate.settle(at: now)
        }
    }

    /// Removes the device credential and the keys that need it.
    ///
    /// The sensors' binding generations change unless the policy's rule is `never`: removing the secure lock screen
    /// invalidates keys bound to biometrics. It also removes templates that need the credential.
    public mutating func removeDeviceCredential(at now: Duration) -> GateEvent {
        record(.removeDeviceCredential, at: now) { gate in
            guard gate.deviceCredential != nil else { return .ignored }
            gate.deviceCredential = nil
            gate.requiredCredential = nil
            gate.invalidateBoundKeys()
            if gate.policy.templatesNeedCredential { gate.removeTemplates(under: .never) }
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
        guard correct else {
            deviceCredential?.noteFailure(under: policy.credentialLockout, at: now)
            return false
        }
        deviceCredential?.noteSuccess()
        clearFailures(upTo: .class3)
        noteCredential(at: now)
        return true
    }

    func obstacleToCredential(at now: Duration) -> GateFailure? {
        guard let deviceCredential else { return .noDeviceCredential }
        return deviceCredential.obstacle(under: policy.credentialLockout, at: now)
    }

    var credentialStage: GateStage {
        deviceCredential?.needsChallenge(under: policy.credentialLockout) == true ? .challengePhrase : .deviceCredential
    }

    /// The failure caused by the last wrong entry; erases the device if the policy says so.
    mutating func credentialFailure(at now: Duration) -> GateFailure? {
        guard let failure = obstacleToCredential(at: now) else { return nil }
        if failure == .credentialLockedOutPermanently, policy.credentialLockout?.permanentErases == true { erase() }
        return failure
    }

    private mutating func erase() {
        deviceCredential = nil
        requiredCredential = nil
        removeTemplates(under: .anyChange)
        clearFailures(upTo: .class3)
    }

    private mutating func invalidateBoundKeys() {
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
        case .sensing, .paused:
            if let obstacle = obstacle(prompt.options, at: now) { return leaveSensing(obstacle, at: now) }
        case .confirming: if let obstacle = obstacleToConfirming(at: now) { return leaveSensing(obstacle, at: now) }
        case .idle, .stopped: break
        case .challengePhrase, .deviceCredential:
            if deviceCredential == nil { return end(.failed(.noDeviceCredential)) }
            if isExhausted { return end(.failed(.lockedOutPermanently)) }
        }
        return .changed
    }
}

extension Int {
    var saturatingSuccessor: Int { self == .max ? self : self + 1 }
}
