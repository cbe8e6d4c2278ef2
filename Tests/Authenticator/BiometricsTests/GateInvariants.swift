import Biometrics

/// The conditions that hold for every gate after every input.
enum GateInvariants {
    static func violations(
        _ event: GateEvent, _ before: UserVerificationGate, _ after: UserVerificationGate
    ) -> [String] {
        limits(event, after) + verification(event, before, after) + mismatch(event, before, after)
            + openings(event, before, after) + prompts(event) + waysOut(event, after)
    }

    /// A credential is due only on a device that has one.
    private static func waysOut(_ event: GateEvent, _ gate: UserVerificationGate) -> [String] {
        guard gate.deviceCredential == nil else { return [] }
        let isDue = gate.sensors.contains {
            gate.strongAuthenticationDue(for: $0.modality, .unlock, at: event.at) != nil
        }
        return isDue ? ["due, and nothing to enter"] : []
    }

    /// Time alone ends no permanent lockout, leaves a due credential due, and ends a timed lockout at its stated end.
    static func violations(waiting gate: UserVerificationGate, from now: Duration, to later: Duration) -> [String] {
        var broken: [String] = []
        for sensor in gate.sensors {
            let (then, next) = (
                gate.lockout(of: sensor.modality, at: now), gate.lockout(of: sensor.modality, at: later)
            )
            switch then {
            case .permanent, .exhausted: if next != then { broken.append("time unlocked") }
            case .timed(let until): if next != (later < until ? then : .none) { broken.append("a timer is off") }
            case .none: if next != .none { broken.append("time locked") }
            }
            if gate.strongAuthenticationDue(for: sensor.modality, .unlock, at: now) != nil,
                gate.strongAuthenticationDue(for: sensor.modality, .unlock, at: later) == nil
            {
                broken.append("time was enough for strong authentication")
            }
        }
        return broken
    }

    private static func limits(_ event: GateEvent, _ gate: UserVerificationGate) -> [String] {
        var broken: [String] = []
        for sensor in gate.sensors {
            let limit = (sensor.lockoutPolicy ?? gate.policy.lockout).permanentAt ?? .max
            if !(0...limit).contains(sensor.consecutiveFailures) { broken.append("count out of range") }
            if sensor.consecutiveFailures == limit, gate.lockout(of: sensor.modality, at: event.at) == .none {
                broken.append("open at the limit")
            }
            if sensor.templates.count > sensor.maxTemplates { broken.append("store overfull") }
            if (sensor.authenticatorID == 0) != (sensor.templates.isEmpty || sensor.strengthClass != .class3) {
                broken.append("authenticator ID")
            }
            // A stronger sensor's lockout binds the weaker one at least as long.
            for other in gate.sensors where other.strengthClass.rawValue < sensor.strengthClass.rawValue {
                let (strong, weak) = (
                    gate.lockout(of: sensor.modality, at: event.at), gate.lockout(of: other.modality, at: event.at)
                )
                if strong != .none, weak == .none { broken.append("a weaker sensor is open") }
            }
        }
        if !(0...25).contains(gate.attemptsRemaining(at: event.at)) { broken.append("attempts out of range") }
        if let end = gate.policy.credentialLockout?.permanentAt, let credential = gate.deviceCredential,
            credential.failedAttempts > end
        {
            broken.append("credential count out of range")
        }
        return broken
    }

    private static func verification(
        _ event: GateEvent, _ before: UserVerificationGate, _ after: UserVerificationGate
    ) -> [String] {
        guard case .ended(.verified(let method)) = event.step else { return [] }
        var broken: [String] = []
        switch method {
        case .biometric(let modality, let templateID):
            if event.modality != modality { broken.append("the event is about another sensor") }
            if before.lockout(of: modality, at: event.at) != .none { broken.append("a locked sensor verified") }
            guard event.stageBefore == .sensing || event.stageBefore == .confirming,
                let sensor = before.sensor(for: modality), let options = before.promptOptions
            else { return broken + ["verified without sensing"] }
            if before.strongAuthenticationDue(for: modality, options.purpose, at: event.at) != nil {
                broken.append("verified when due")
            }
            if !options.allowsBiometrics { broken.append("a sensor verified where none was allowed") }
            if sensor.availability != .present { broken.append("an unusable sensor verified") }
            if !sensor.templates.contains(where: { $0.id == templateID }) { broken.append("a stranger verified") }
            if sensor.strengthClass.rawValue < options.minimumClass.rawValue
                || (sensor.strengthClass == .class1 && options.purpose == .app)
            {
                broken.append("a weak sensor verified")
            }
        case .deviceCredential:
            if before.deviceCredential == nil { broken.append("verified by no credential") }
            if before.deviceCredential?.isDisabled == true { broken.append("a disabled credential verified") }
            if let until = before.deviceCredential?.lockedUntil, event.at < until {
                broken.append("verified too early")
            }
            if after.requiredCredential != nil { broken.append("still due") }
        }
        return broken
    }

    /// A mismatch lowers no count, unlocks no sensor and clears no due credential.
    private static func mismatch(
        _ event: GateEvent, _ before: UserVerificationGate, _ after: UserVerificationGate
    ) -> [String] {
        guard case .present(let act) = event.input else { return [] }
        switch act.sample {
        case .nonMatch, .spoof: break
        default: return []
        }
        var broken: [String] = []
        for (old, new) in zip(before.sensors, after.sensors) {
            // Where a timer's end resets the count, the first input after it finds the count reset.
            let startsOver = (old.lockoutPolicy ?? before.policy.lockout).expiryClearsCount
            if new.consecutiveFailures < old.consecutiveFailures, !(startsOver && new.consecutiveFailures <= 1) {
                broken.append("a mismatch lowered a count")
            }
            let (then, now) = (
                before.lockout(of: old.modality, at: event.at), after.lockout(of: old.modality, at: event.at)
            )
            if then != .none, now == .none { broken.append("a mismatch opened a sensor") }
            // A credential that was due at some time remains due at that time.
            for hours in [0, 1, 4, 24, 48, 72, 156, 400] {
                let time = event.at + .hours(hours)
                if before.strongAuthenticationDue(for: old.modality, .unlock, at: time) != nil,
                    after.strongAuthenticationDue(for: old.modality, .unlock, at: time) == nil
                {
                    broken.append("a mismatch refreshed strong authentication")
                }
            }
        }
        let (then, now) = (before.deviceCredential?.failedAttempts, after.deviceCredential?.failedAttempts)
        let forgives = before.policy.credentialLockout?.forgivesOneEvery != nil
        if now != then, !(forgives && now ?? 0 < then ?? 0) { broken.append("a mismatch touched the credential") }
        return broken
    }

    /// Only the intended inputs unlock a permanently locked sensor.
    private static func openings(
        _ event: GateEvent, _ before: UserVerificationGate, _ after: UserVerificationGate
    ) -> [String] {
        let opened = before.sensors.contains { sensor in
            let then = before.lockout(of: sensor.modality, at: event.at)
            return (then == .permanent || then == .exhausted)
                && after.lockout(of: sensor.modality, at: event.at) == .none
        }
        guard opened else { return [] }
        switch event.input {
        case .refill, .enterDeviceCredential(correct: true), .present(.passcode(correct: true)): return []
        case .powerCycle where after.policy.powerCycleClearsLockout: return []
        // A match at a stronger sensor unlocks weaker ones; after an erasure no lockout remains.
        case .present(let act) where act.sample != nil || act == .powerButton:
            return event.failuresAfter == 0 && event.lockoutBefore == .none ? [] : ["\(event.input.label) opened"]
        case .present(.passcode(correct: false)), .enterDeviceCredential(correct: false):
            return after.deviceCredential == nil ? [] : ["a wrong credential opened a sensor"]
        default: return ["\(event.input.label) opened a closed sensor"]
        }
    }

    private static func prompts(_ event: GateEvent) -> [String] {
        guard event.stageAfter == .idle, event.stageBefore != .idle else { return [] }
        switch event.step {
        case .ended, .refused: return []
        default: return ["a prompt ended without saying so"]
        }
    }
}
