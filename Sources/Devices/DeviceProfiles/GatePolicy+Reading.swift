internal import Biometrics
internal import Documents

extension GatePolicy {
    private static let keys: Set<String> = [
        "attempts-per-prompt", "fallback-offered-after", "credential-fallback", "credential-attempts-per-prompt",
        "prompt-timeout", "bad-capture-counts", "timeout-counts", "invalidation", "confirmation", "attention",
        "power-button", "strong-authentication", "sensors-need-credential", "power-cycle-requires-credential",
        "power-cycle-clears",
    ]

    /// Reads the `lockout` section.
    init(reading value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(Self.keys.union(LockoutPolicy.keys))
        let lockout = try LockoutPolicy(reading: fields)
        let rules = try StrongAuthenticationRule.list(fields["strong-authentication"])
        do {
            try self.init(
                attemptsPerPrompt: fields["attempts-per-prompt"]?.int(),
                fallbackOfferedAfter: fields["fallback-offered-after"]?.int(),
                lockout: lockout,
                deviceCredentialFallback: fields["credential-fallback"]?.bool() ?? false,
                credentialAttemptsPerPrompt: fields["credential-attempts-per-prompt"]?.int(),
                promptTimeout: fields["prompt-timeout"]?.duration() ?? .seconds(30),
                badCaptureCounts: fields["bad-capture-counts"]?.bool() ?? false,
                timeoutCounts: fields["timeout-counts"]?.bool() ?? false,
                invalidationRule: fields.required("invalidation").choice(InvalidationRule.self),
                confirmation: fields["confirmation"]?.choice(ConfirmationRule.self) ?? .never,
                requiresAttention: fields["attention"]?.bool() ?? false,
                powerButton: fields["power-button"]?.choice(PowerButtonRule.self) ?? .systemCancelled,
                strongAuthentication: rules,
                sensorsNeedCredential: fields["sensors-need-credential"]?.bool() ?? false,
                powerCycleRequiresCredential: fields["power-cycle-requires-credential"]?.bool() ?? false,
                powerCycleClearsLockout: fields["power-cycle-clears"]?.bool() ?? false)
        } catch {
            throw fields.told(error)
        }
    }
}

extension LockoutPolicy {
    static let keys: Set<String> = ["timed-every", "timed-at", "timed-duration", "timed-clears-count", "permanent-at"]

    /// Reads what says when a sensor closes, from the `lockout` section or a sensor's own.
    init(reading fields: YAMLFields) throws(SourceError) {
        var timedAt: [Int] = []
        for item in try fields["timed-at"]?.items() ?? [] { timedAt.append(try item.int()) }
        if timedAt.isEmpty, let value = fields["timed-at"] {
            throw value.error("expected numbers of failures; leave it out where no number closes the sensor")
        }
        if let value = fields["timed-duration"], fields["timed-every"] == nil, timedAt.isEmpty {
            throw value.error("means nothing without timed-every or timed-at")
        }
        let permanent = try fields.required("permanent-at")
        do {
            try self.init(
                timedEvery: fields["timed-every"]?.int(), timedAt: timedAt,
                timedDuration: fields["timed-duration"]?.duration() ?? .seconds(30),
                expiryClearsCount: fields["timed-clears-count"]?.bool() ?? false,
                permanentAt: permanent.isNever ? nil : permanent.int())
        } catch {
            throw fields.told(error)
        }
    }
}

extension StrongAuthenticationRule {
    fileprivate static func list(_ value: YAMLValue?) throws(SourceError) -> [StrongAuthenticationRule] {
        var rules: [StrongAuthenticationRule] = []
        for item in try value?.items() ?? [] { rules.append(try StrongAuthenticationRule(reading: item)) }
        return rules
    }

    private init(reading value: YAMLValue) throws(SourceError) {
        let fields = try value.fields([
            "classes", "since-credential", "since-unlock", "since-biometric", "failures",
        ])
        var classes: [StrengthClass] = []
        for item in try fields["classes"]?.items() ?? [] {
            guard let strength = StrengthClass(rawValue: try item.int(in: 1...3)) else { continue }
            classes.append(strength)
        }
        do {
            try self.init(
                classes: classes, sinceCredential: fields["since-credential"]?.duration(),
                sinceUnlock: fields["since-unlock"]?.duration(),
                sinceBiometric: fields["since-biometric"]?.duration(), failures: fields["failures"]?.int())
        } catch {
            throw fields.told(error)
        }
    }
}

/// The `device-credential` section: a kind, or a kind with what wrong entries lead to.
struct ProfileCredential {
    let kind: DeviceCredential.Kind
    let lockout: CredentialLockoutPolicy?

    /// What the last wrong entry does.
    private enum End: String, CaseIterable {
        case disabled
        case erased
    }

    init(reading value: YAMLValue) throws(SourceError) {
        guard value.isMapping else {
            kind = try value.choice(DeviceCredential.Kind.self)
            lockout = nil
            return
        }
        let fields = try value.fields(["kind", "delays", "permanent-at", "permanently", "power-cycle-clears"])
        kind = try fields.required("kind").choice(DeviceCredential.Kind.self)
        var delays: [CredentialLockoutPolicy.Delay] = []
        for item in try fields["delays"]?.items() ?? [] {
            let delay = try item.fields(["failures", "delay"])
            delays.append(
                CredentialLockoutPolicy.Delay(
                    failures: try delay.required("failures").int(in: 1...Int(Int32.max)),
                    delay: try delay.required("delay").duration()))
            // With each of them, so that the one that is wrong is named.
            do { _ = try CredentialLockoutPolicy(delays: delays) } catch { throw item.error("\(error)") }
        }
        let end = try fields["permanently"]?.choice(End.self)
        let permanentAt = fields["permanent-at"]
        if let word = fields["permanently"], permanentAt == nil {
            throw word.error("means nothing without permanent-at")
        }
        do {
            lockout = try CredentialLockoutPolicy(
                delays: delays, permanentAt: permanentAt.map { value throws(SourceError) in try value.int() },
                permanentErases: end == .erased,
                powerCycleClears: fields["power-cycle-clears"]?.bool() ?? false)
        } catch {
            throw fields.told(error)
        }
    }
}

extension YAMLValue {
    fileprivate var isNever: Bool { (try? string()) == "never" }
}
