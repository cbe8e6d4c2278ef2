package import Biometrics

/// The platforms' rules as their documentation states them, for tests of the gate; devices take theirs from profiles.
extension GatePolicy {
    /// An iPhone with Face ID: two tries per prompt, locked at five in a row, the passcode an equivalent.
    package static let iOSFaceID: GatePolicy = {
        var policy = iOS(attemptsPerPrompt: 2, fallbackOfferedAfter: 2)
        policy.requiresAttention = true
        return policy
    }()

    /// An iPhone or Mac with Touch ID: three tries per prompt, locked at five in a row, the passcode an equivalent.
    package static let iOSTouchID = iOS(attemptsPerPrompt: 3, fallbackOfferedAfter: 1)

    /// Android's fingerprint: prompts stay until 30 s lockouts at 5, 10 and 15 in a row, and a permanent one at 20.
    ///
    /// Without the device credential as a fallback, as for per-use keys; passkeys that accept the screen lock use
    /// ``withDeviceCredentialFallback(_:)``.
    package static let androidFingerprint: GatePolicy = android(.androidFingerprint)

    /// Android's face as older frameworks count: 30 s lockouts at 3, 6 and 9 in a row, and a permanent one at 12.
    ///
    /// The sensor is passive, so a match is confirmed unless the app waives it.
    package static let androidFace: GatePolicy = android(.androidFace)

    /// Windows Hello: ten failed attempts in a row lock the sensor; the PIN is always the fallback.
    package static let windowsHello: GatePolicy = {
        var policy = GatePolicy(.windowsHello, .never)
        policy.fallbackOfferedAfter = 0
        policy.deviceCredentialFallback = true
        policy.credentialLockout = .windowsTPM
        policy.promptTimeout = .seconds(60)
        return policy
    }()

    /// A security key with a fingerprint sensor: uvRetries counts down; only a PIN or a match restores it.
    ///
    /// - Parameters:
    ///   - maxUVRetries: the maximum of uvRetries, 1 to 25; 3 for a YubiKey Bio.
    ///   - internalRetries: the attempts per command; 1 if the platform repeats the command instead.
    /// - Throws: ``GatePolicyError`` if either is out of range.
    package static func securityKeyFingerprint(
        maxUVRetries: Int = 3, internalRetries: Int = 1
    ) throws(GatePolicyError) -> GatePolicy {
        try GatePolicy(
            attemptsPerPrompt: internalRetries, permanentLockoutAt: maxUVRetries, timeoutCounts: true,
            invalidationRule: .never)
    }

    // Apple documents no timeout for the prompt; one minute is the bench's choice.
    private static func iOS(attemptsPerPrompt: Int, fallbackOfferedAfter: Int) -> GatePolicy {
        var policy = GatePolicy(.apple, .anyChange)
        policy.attemptsPerPrompt = attemptsPerPrompt
        policy.fallbackOfferedAfter = fallbackOfferedAfter
        policy.deviceCredentialFallback = true
        policy.credentialAttemptsPerPrompt = 6
        policy.promptTimeout = .seconds(60)
        policy.strongAuthentication = StrongAuthenticationRule.apple
        policy.credentialLockout = .apple
        policy.sensorsNeedCredential = true
        policy.powerCycleRequiresCredential = true
        return policy
    }

    private static func android(_ lockout: LockoutPolicy) -> GatePolicy {
        var policy = GatePolicy(lockout, .enrolledOrAllRemoved)
        policy.fallbackOfferedAfter = 0
        policy.credentialAttemptsPerPrompt = 5
        policy.confirmation = .appDecides
        policy.passiveSensorsPause = true
        policy.strongAuthenticationAt = .unlockPrompt
        policy.templatesNeedCredential = true
        policy.strongAuthentication = StrongAuthenticationRule.android
        policy.powerCycleRequiresCredential = true
        return policy
    }
}

extension GatePolicy {
    /// Describes a policy by its limits alone.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
    package init(
        attemptsPerPrompt: Int?, fallbackOfferedAfter: Int? = nil, timedLockoutEvery: Int? = nil,
        timedLockoutDuration: Duration = .seconds(30), permanentLockoutAt: Int?,
        deviceCredentialFallback: Bool = false, credentialAttemptsPerPrompt: Int? = nil,
        promptTimeout: Duration = .seconds(30), badCaptureCounts: Bool = false, timeoutCounts: Bool = false,
        invalidationRule: InvalidationRule
    ) throws(GatePolicyError) {
        try self.init(
            attemptsPerPrompt: attemptsPerPrompt, fallbackOfferedAfter: fallbackOfferedAfter,
            lockout: LockoutPolicy(
                timedEvery: timedLockoutEvery, timedDuration: timedLockoutDuration, permanentAt: permanentLockoutAt),
            deviceCredentialFallback: deviceCredentialFallback,
            credentialAttemptsPerPrompt: credentialAttemptsPerPrompt, promptTimeout: promptTimeout,
            badCaptureCounts: badCaptureCounts, timeoutCounts: timeoutCounts, invalidationRule: invalidationRule)
    }

    /// The policy with or without the device credential as a fallback.
    package func withDeviceCredentialFallback(_ deviceCredentialFallback: Bool) -> GatePolicy {
        var policy = self
        policy.deviceCredentialFallback = deviceCredentialFallback
        return policy
    }
}

extension LockoutPolicy {
    /// Locked permanently at five: Touch ID and Face ID.
    package static let apple = make(5)
    /// Android's framework for fingerprints: 30 s at 5, 10 and 15, permanently at 20; the count outlives the timers.
    package static let androidFingerprint = make(20, timedEvery: 5)
    /// Older Android frameworks for faces: 30 s at 3, 6 and 9, permanently at 12.
    package static let androidFace = make(12, timedEvery: 3)
    /// AOSP's virtual fingerprint HAL in its default configuration: 10 s at 5, then the count restarts.
    package static let virtualFingerprintHAL = make(
        20, timedEvery: 5, timedDuration: .seconds(10), expiryClearsCount: true)
    /// AOSP's virtual face HAL in its default configuration: 10 s at 3, then the count restarts.
    package static let virtualFaceHAL = make(
        5, timedEvery: 3, timedDuration: .seconds(10), expiryClearsCount: true)
    /// Windows Hello: ten attempts, then the PIN.
    package static let windowsHello = make(10)

    private static func make(
        _ permanentAt: Int, timedEvery: Int? = nil, timedDuration: Duration = .seconds(30),
        expiryClearsCount: Bool = false
    ) -> LockoutPolicy {
        var policy = LockoutPolicy()
        policy.permanentAt = permanentAt
        policy.timedEvery = timedEvery
        policy.timedDuration = timedDuration
        policy.expiryClearsCount = expiryClearsCount
        return policy
    }
}

extension CredentialLockoutPolicy {
    /// An iPhone's: 1, 5, 15 and 60 minutes after the sixth to ninth wrong passcode, disabled at the tenth.
    package static let apple: CredentialLockoutPolicy = {
        var policy = CredentialLockoutPolicy()
        policy.delays = [
            Delay(failures: 6, delay: .seconds(60)), Delay(failures: 7, delay: .seconds(300)),
            Delay(failures: 8, delay: .seconds(900)), Delay(failures: 9, delay: .seconds(3600)),
        ]
        policy.permanentAt = 10
        return policy
    }()

    /// Windows' PIN on a TPM 2.0: 32 failures, one forgiven every ten minutes without another; the challenge phrase
    /// after three in a row, a restart after four.
    package static let windowsTPM: CredentialLockoutPolicy = {
        var policy = CredentialLockoutPolicy()
        policy.delays = [Delay(failures: 32, delay: .seconds(600))]
        policy.forgivesOneEvery = .seconds(600)
        policy.challengeAfter = 3
        policy.restartAfter = 4
        return policy
    }()
}

extension StrongAuthenticationRule {
    /// iOS: no unlock for 48 h; or no passcode for 156 h and no biometric unlock for 4 h.
    package static let apple = [
        make(sinceUnlock: .seconds(48 * 3600)),
        make(sinceCredential: .seconds(156 * 3600), sinceBiometric: .seconds(4 * 3600)),
    ]

    /// Android: the screen lock every 72 h for class 3; every 24 h, or after 4 h idle, for the classes below it, and
    /// for class 1 after three failures, too (CDD 7.3.10).
    package static let android = [
        make([.class3], sinceCredential: .seconds(72 * 3600)),
        make([.class1, .class2], sinceCredential: .seconds(24 * 3600)),
        make([.class1, .class2], sinceUnlock: .seconds(4 * 3600)),
        make([.class1], failures: 3),
    ]

    private static func make(
        _ classes: [StrengthClass] = [], sinceCredential: Duration? = nil, sinceUnlock: Duration? = nil,
        sinceBiometric: Duration? = nil, failures: Int? = nil
    ) -> StrongAuthenticationRule {
        var rule = StrongAuthenticationRule()
        rule.classes = classes
        rule.sinceCredential = sinceCredential
        rule.sinceUnlock = sinceUnlock
        rule.sinceBiometric = sinceBiometric
        rule.failures = failures
        return rule
    }
}
