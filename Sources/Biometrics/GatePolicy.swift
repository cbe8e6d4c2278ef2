/// How a device counts failed attempts and what it does about them, as data.
///
/// A policy is checked when it is made or decoded, so that every policy there is makes sense.
public struct GatePolicy: Equatable, Sendable {
    /// Failed attempts after which one prompt gives up; `nil` when a prompt stays until the sensor locks.
    public let attemptsPerPrompt: Int?
    /// Failed attempts in one prompt after which it offers a way out; 0 at once, `nil` never.
    public let fallbackOfferedAfter: Int?
    /// Every how many failed attempts in a row the sensor closes for a while; `nil` never.
    public let timedLockoutEvery: Int?
    /// For how long a timed lockout closes the sensor.
    public let timedLockoutDuration: Duration
    /// Failed attempts in a row, over all prompts and apps, that close the sensor for good: 1 to 25.
    ///
    /// What CTAP calls the maximum of uvRetries.
    public let permanentLockoutAt: Int
    /// Whether the device credential verifies a person as well as the biometric does, when the prompt allows it.
    public let deviceCredentialFallback: Bool
    /// Wrong entries of the device credential after which one prompt gives up; `nil` never.
    ///
    /// The growing delays that platforms then impose on the credential itself are not part of the gate.
    public let credentialAttemptsPerPrompt: Int?
    /// How long a prompt waits, from its beginning.
    public let promptTimeout: Duration
    /// Whether a sample too poor to compare counts as a failed attempt.
    public let badCaptureCounts: Bool
    /// Whether a prompt that nobody answers counts as a failed attempt.
    ///
    /// True for security keys: performBuiltInUv charges uvRetries before it senses, and gives nothing back on a
    /// timeout (CTAP 2.3 §6.5).
    public let timeoutCounts: Bool
    /// Which changes to the enrolled set kill the keys bound to it.
    public let invalidationRule: InvalidationRule

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for numbers that make no sense.
    public init(
        attemptsPerPrompt: Int?, fallbackOfferedAfter: Int? = nil, timedLockoutEvery: Int? = nil,
        timedLockoutDuration: Duration = .seconds(30), permanentLockoutAt: Int, deviceCredentialFallback: Bool = false,
        credentialAttemptsPerPrompt: Int? = nil, promptTimeout: Duration = .seconds(30),
        badCaptureCounts: Bool = false, timeoutCounts: Bool = false, invalidationRule: InvalidationRule
    ) throws(GatePolicyError) {
        self.init(
            unchecked: attemptsPerPrompt, fallbackOfferedAfter: fallbackOfferedAfter,
            timedLockoutEvery: timedLockoutEvery, timedLockoutDuration: timedLockoutDuration,
            permanentLockoutAt: permanentLockoutAt, deviceCredentialFallback: deviceCredentialFallback,
            credentialAttemptsPerPrompt: credentialAttemptsPerPrompt, promptTimeout: promptTimeout,
            badCaptureCounts: badCaptureCounts, timeoutCounts: timeoutCounts, invalidationRule: invalidationRule)
        try validate()
    }

    /// For the presets, whose numbers are known to be good.
    init(
        unchecked attemptsPerPrompt: Int?, fallbackOfferedAfter: Int?, timedLockoutEvery: Int?,
        timedLockoutDuration: Duration, permanentLockoutAt: Int, deviceCredentialFallback: Bool,
        credentialAttemptsPerPrompt: Int?, promptTimeout: Duration, badCaptureCounts: Bool, timeoutCounts: Bool,
        invalidationRule: InvalidationRule
    ) {
        self.attemptsPerPrompt = attemptsPerPrompt
        self.fallbackOfferedAfter = fallbackOfferedAfter
        self.timedLockoutEvery = timedLockoutEvery
        self.timedLockoutDuration = timedLockoutDuration
        self.permanentLockoutAt = permanentLockoutAt
        self.deviceCredentialFallback = deviceCredentialFallback
        self.credentialAttemptsPerPrompt = credentialAttemptsPerPrompt
        self.promptTimeout = promptTimeout
        self.badCaptureCounts = badCaptureCounts
        self.timeoutCounts = timeoutCounts
        self.invalidationRule = invalidationRule
    }

    /// The same policy, with the device credential standing in for the biometric or not.
    public func withDeviceCredentialFallback(_ deviceCredentialFallback: Bool) -> GatePolicy {
        GatePolicy(
            unchecked: attemptsPerPrompt, fallbackOfferedAfter: fallbackOfferedAfter,
            timedLockoutEvery: timedLockoutEvery, timedLockoutDuration: timedLockoutDuration,
            permanentLockoutAt: permanentLockoutAt, deviceCredentialFallback: deviceCredentialFallback,
            credentialAttemptsPerPrompt: credentialAttemptsPerPrompt, promptTimeout: promptTimeout,
            badCaptureCounts: badCaptureCounts, timeoutCounts: timeoutCounts, invalidationRule: invalidationRule)
    }
}
