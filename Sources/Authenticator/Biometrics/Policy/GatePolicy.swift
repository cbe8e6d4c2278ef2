/// How a device counts failed attempts, and when it locks.
///
/// A policy is checked when it is made or decoded, so that every policy is valid.
public struct GatePolicy: Equatable, Sendable {
    /// Failed attempts after which one prompt gives up; `nil` when a prompt stays until its sensors lock.
    public package(set) var attemptsPerPrompt: Int?
    /// Failed attempts in one prompt after which it offers a way out; 0 at once, `nil` never.
    public package(set) var fallbackOfferedAfter: Int?
    /// When failed attempts close a sensor that has no policy of its own.
    public package(set) var lockout: LockoutPolicy
    /// Whether the device credential verifies the user in place of the biometric, if the prompt allows it.
    ///
    /// Where the device itself is unlocked, it always does.
    public package(set) var deviceCredentialFallback = false
    /// Wrong entries of the device credential after which one prompt gives up; `nil` never.
    public package(set) var credentialAttemptsPerPrompt: Int?
    /// How long a prompt waits, from its beginning.
    public package(set) var promptTimeout = Duration.seconds(30)
    /// Whether a sample too poor to compare counts as a failed attempt.
    public package(set) var badCaptureCounts = false
    /// Whether a prompt that times out counts as a failed attempt.
    ///
    /// True for security keys: performBuiltInUv charges uvRetries before it senses, and gives nothing back on a
    /// timeout (CTAP 2.3 §6.5).
    public package(set) var timeoutCounts = false
    /// Which changes to the enrolled set kill the keys bound to it.
    public package(set) var invalidationRule: InvalidationRule
    /// Whether a match by a passive sensor must be confirmed.
    public package(set) var confirmation = ConfirmationRule.never
    /// Whether a face must look at the device to match, as Face ID has it by default.
    public package(set) var requiresAttention = false
    /// The effect of the power button on a prompt.
    public package(set) var powerButton = PowerButtonRule.systemCancelled
    /// When the device credential is due; each rule is enough.
    public package(set) var strongAuthentication: [StrongAuthenticationRule] = []
    /// How wrong entries keep the device credential from being entered; `nil` when they never do.
    public package(set) var credentialLockout: CredentialLockoutPolicy?
    /// Whether the sensors are disabled while no device credential is set: LAError's `passcodeNotSet`.
    public package(set) var sensorsNeedCredential = false
    /// Whether the device credential is due once the device has been switched on.
    public package(set) var powerCycleRequiresCredential = false
    /// Whether switching the device off and on takes all failed attempts back and opens its sensors.
    public package(set) var powerCycleClearsLockout = false

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for numbers that make no sense.
    public init(
        attemptsPerPrompt: Int? = nil, fallbackOfferedAfter: Int? = nil, lockout: LockoutPolicy,
        deviceCredentialFallback: Bool = false, credentialAttemptsPerPrompt: Int? = nil,
        promptTimeout: Duration = .seconds(30), badCaptureCounts: Bool = false, timeoutCounts: Bool = false,
        invalidationRule: InvalidationRule, confirmation: ConfirmationRule = .never, requiresAttention: Bool = false,
        powerButton: PowerButtonRule = .systemCancelled, strongAuthentication: [StrongAuthenticationRule] = [],
        credentialLockout: CredentialLockoutPolicy? = nil, sensorsNeedCredential: Bool = false,
        powerCycleRequiresCredential: Bool = false, powerCycleClearsLockout: Bool = false
    ) throws(GatePolicyError) {
        self.init(lockout, invalidationRule)
        self.attemptsPerPrompt = attemptsPerPrompt
        self.fallbackOfferedAfter = fallbackOfferedAfter
        self.deviceCredentialFallback = deviceCredentialFallback
        self.credentialAttemptsPerPrompt = credentialAttemptsPerPrompt
        self.promptTimeout = promptTimeout
        self.badCaptureCounts = badCaptureCounts
        self.timeoutCounts = timeoutCounts
        self.confirmation = confirmation
        self.requiresAttention = requiresAttention
        self.powerButton = powerButton
        self.strongAuthentication = strongAuthentication
        self.credentialLockout = credentialLockout
        self.sensorsNeedCredential = sensorsNeedCredential
        self.powerCycleRequiresCredential = powerCycleRequiresCredential
        self.powerCycleClearsLockout = powerCycleClearsLockout
        try validate()
    }

    /// Describes a policy by its limits alone.
    ///
    /// - Throws: ``GatePolicyError`` for numbers that make no sense.
    public init(
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

    /// Describes a policy without checking it: ``validate()`` does.
    package init(_ lockout: LockoutPolicy, _ invalidationRule: InvalidationRule) {
        self.lockout = lockout
        self.invalidationRule = invalidationRule
    }
}

extension GatePolicy {
    /// Every how many failed attempts in a row a sensor closes for a while; see ``LockoutPolicy/timedEvery``.
    public var timedLockoutEvery: Int? { lockout.timedEvery }
    /// For how long a timed lockout closes a sensor.
    public var timedLockoutDuration: Duration { lockout.timedDuration }
    /// Failed attempts in a row that close a sensor for good; see ``LockoutPolicy/permanentAt``.
    public var permanentLockoutAt: Int? { lockout.permanentAt }

    /// The same policy, with the device credential standing in for the biometric or not.
    public func withDeviceCredentialFallback(_ deviceCredentialFallback: Bool) -> GatePolicy {
        var policy = self
        policy.deviceCredentialFallback = deviceCredentialFallback
        return policy
    }

    /// The same policy, with wrong entries of the device credential delayed as said.
    public func withCredentialLockout(_ credentialLockout: CredentialLockoutPolicy?) -> GatePolicy {
        var policy = self
        policy.credentialLockout = credentialLockout
        return policy
    }

    /// Whether switching the device off and on changes anything about its gate.
    public var mindsPowerCycles: Bool {
        powerCycleRequiresCredential || powerCycleClearsLockout || credentialLockout?.powerCycleClears == true
    }
}
