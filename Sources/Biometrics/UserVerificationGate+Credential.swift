extension UserVerificationGate {
    /// The person enters the device credential on the unlock screen, outside a prompt.
    ///
    /// A correct entry clears the failures and every lockout. While a prompt is up it is refused: there the credential
    /// is an act of the prompt.
    public mutating func enterDeviceCredential(correct: Bool, at now: Duration) -> GateEvent {
        record(.enterDeviceCredential(correct: correct), at: now) { gate in
            if let refusal = gate.refuseWhilePrompting(at: now) { return .refused(refusal) }
            guard gate.deviceCredential != nil else { return .refused(.noDeviceCredential) }
            return gate.checkDeviceCredential(correct: correct)
                ? .ended(.verified(method: .deviceCredential)) : .ended(.failed(.wrongCredential))
        }
    }

    /// Sets or changes the device credential; its count of wrong entries starts at 0.
    public mutating func setDeviceCredential(_ kind: DeviceCredential.Kind, at now: Duration) -> GateEvent {
        record(.setDeviceCredential(kind), at: now) { gate in
            gate.deviceCredential = DeviceCredential(kind: kind)
            return .changed
        }
    }

    /// Removes the device credential, and with it the keys that needed it.
    ///
    /// Templates stay, but the sensor's binding generation changes unless the policy's rule is `never`: keys bound to
    /// biometrics do not outlive the secure lock screen.
    public mutating func removeDeviceCredential(at now: Duration) -> GateEvent {
        record(.removeDeviceCredential, at: now) { gate in
            guard gate.deviceCredential != nil else { return .ignored }
            gate.deviceCredential = nil
            if gate.policy.invalidationRule != .never { gate.sensor?.bindingGeneration &+= 1 }
            return gate.settle(at: now)
        }
    }

    /// Uses all retries up: CTAP's uvRetries becomes 0 because pinRetries is 0 (CTAP 2.3 §6.5).
    ///
    /// Nothing verifies after it, the device credential in a prompt included, until ``refill(at:)`` or a correct
    /// ``enterDeviceCredential(correct:at:)``.
    public mutating func exhaust(at now: Duration) -> GateEvent {
        record(.exhaust, at: now) { gate in
            gate.consecutiveFailures = gate.policy.permanentLockoutAt
            gate.imposedLockout = .exhausted
            return gate.settle(at: now)
        }
    }

    /// Gives all retries back and clears every lockout: what a correct PIN does to CTAP's uvRetries.
    public mutating func refill(at now: Duration) -> GateEvent {
        record(.refill, at: now) { gate in
            gate.clearFailures()
            return .changed
        }
    }
}

extension UserVerificationGate {
    mutating func checkDeviceCredential(correct: Bool) -> Bool {
        if correct {
            deviceCredential?.failedAttempts = 0
            clearFailures()
        } else if let failed = deviceCredential?.failedAttempts {
            deviceCredential?.failedAttempts = failed.saturatingSuccessor
        }
        return correct
    }

    mutating func clearFailures() {
        consecutiveFailures = 0
        imposedLockout = .none
    }

    /// After a change from outside: a prompt stays up unless what it waits for cannot come any more.
    mutating func settle(at now: Duration) -> GateStep {
        switch prompt?.stage {
        case .sensing:
            if let obstacle = obstacle(at: now) { return leaveSensing(obstacle.failure) }
        case .deviceCredential:
            if deviceCredential == nil { return end(.failed(.noDeviceCredential)) }
            if imposedLockout == .exhausted { return end(.failed(.lockedOutPermanently)) }
        case nil: break
        }
        return .changed
    }
}

extension Int {
    /// The next number, or the same where there is none.
    var saturatingSuccessor: Int { self == .max ? self : self + 1 }
}
