extension GatePolicy {
    /// An iPhone with Face ID: two tries per prompt, locked at five in a row, the passcode an equivalent.
    public static let iOSFaceID = iOS(attemptsPerPrompt: 2, fallbackOfferedAfter: 2)

    /// An iPhone or Mac with Touch ID: three tries per prompt, locked at five in a row, the passcode an equivalent.
    public static let iOSTouchID = iOS(attemptsPerPrompt: 3, fallbackOfferedAfter: 1)

    /// Android's fingerprint: prompts stay until 30 s lockouts at 5, 10 and 15 in a row, and a permanent one at 20.
    ///
    /// The device credential does not stand in, which is what per-use keys ask for; passkeys that accept the screen
    /// lock use ``withDeviceCredentialFallback(_:)``.
    public static let androidFingerprint = GatePolicy(
        unchecked: nil, fallbackOfferedAfter: 0, timedLockoutEvery: 5, timedLockoutDuration: .seconds(30),
        permanentLockoutAt: 20, deviceCredentialFallback: false, credentialAttemptsPerPrompt: 5,
        promptTimeout: .seconds(30), badCaptureCounts: false, timeoutCounts: false,
        invalidationRule: .enrolledOrAllRemoved)

    /// A security key with a fingerprint sensor: uvRetries counts down, and only a PIN or a match refills it.
    ///
    /// - Parameters:
    ///   - maxUVRetries: the maximum of uvRetries, 1 to 25; 3 for a YubiKey Bio.
    ///   - internalRetries: how often one command senses; 1 when the platform repeats the command instead.
    /// - Throws: ``GatePolicyError`` when either is out of range.
    public static func securityKeyFingerprint(
        maxUVRetries: Int = 3, internalRetries: Int = 1
    ) throws(GatePolicyError) -> GatePolicy {
        try GatePolicy(
            attemptsPerPrompt: internalRetries, permanentLockoutAt: maxUVRetries, timeoutCounts: true,
            invalidationRule: .never)
    }

    // The minute of patience is the bench's own choice: Apple documents none for the prompt itself.
    private static func iOS(attemptsPerPrompt: Int, fallbackOfferedAfter: Int) -> GatePolicy {
        GatePolicy(
            unchecked: attemptsPerPrompt, fallbackOfferedAfter: fallbackOfferedAfter, timedLockoutEvery: nil,
            timedLockoutDuration: .seconds(30), permanentLockoutAt: 5, deviceCredentialFallback: true,
            credentialAttemptsPerPrompt: 6, promptTimeout: .seconds(60), badCaptureCounts: false,
            timeoutCounts: false, invalidationRule: .anyChange)
    }
}
