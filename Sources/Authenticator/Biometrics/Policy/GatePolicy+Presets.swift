extension GatePolicy {
    /// An iPhone with Face ID: two tries per prompt, locked at five in a row, the passcode an equivalent.
    public static let iOSFaceID: GatePolicy = {
        var policy = iOS(attemptsPerPrompt: 2, fallbackOfferedAfter: 2)
        policy.requiresAttention = true
        return policy
    }()

    /// An iPhone or Mac with Touch ID: three tries per prompt, locked at five in a row, the passcode an equivalent.
    public static let iOSTouchID = iOS(attemptsPerPrompt: 3, fallbackOfferedAfter: 1)

    /// Android's fingerprint: prompts stay until 30 s lockouts at 5, 10 and 15 in a row, and a permanent one at 20.
    ///
    /// Without the device credential as a fallback, as for per-use keys; passkeys that accept the screen lock use
    /// ``withDeviceCredentialFallback(_:)``.
    public static let androidFingerprint: GatePolicy = android(.androidFingerprint)

    /// Android's face as older frameworks count: 30 s lockouts at 3, 6 and 9 in a row, and a permanent one at 12.
    ///
    /// The sensor is passive, so a match is confirmed unless the app waives it.
    public static let androidFace: GatePolicy = android(.androidFace)

    /// Windows Hello: ten failed attempts in a row lock the sensor; the PIN is always the fallback.
    public static let windowsHello: GatePolicy = {
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
    public static func securityKeyFingerprint(
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
        policy.strongAuthentication = StrongAuthenticationRule.android
        policy.powerCycleRequiresCredential = true
        return policy
    }
}
