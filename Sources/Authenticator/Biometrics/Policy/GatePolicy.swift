/// A device's rules for failed attempts, lockouts and the device credential.
///
/// A policy is validated when created or decoded.
public struct GatePolicy: Equatable, Sendable {
    /// The failed attempts after which a prompt gives up; `nil` for a prompt that stays until its sensors lock.
    public package(set) var attemptsPerPrompt: Int?
    /// The failed attempts after which a prompt offers the fallback; 0 for at once, `nil` for never.
    public package(set) var fallbackOfferedAfter: Int?
    /// The lockout policy of sensors without their own.
    public package(set) var lockout: LockoutPolicy
    /// Whether the device credential verifies the user in place of the biometric, if the prompt allows it.
    ///
    /// At an unlock prompt it always does.
    public package(set) var deviceCredentialFallback = false
    /// The wrong device credentials after which a prompt gives up; `nil` for never.
    public package(set) var credentialAttemptsPerPrompt: Int?
    /// The timeout of a prompt, from its start.
    public package(set) var promptTimeout = Duration.seconds(30)
    /// Whether a sample too poor to compare counts as a failed attempt.
    public package(set) var badCaptureCounts = false
    /// Whether a prompt that times out counts as a failed attempt.
    ///
    /// True for security keys: performBuiltInUv decrements uvRetries before it senses, and does not restore it on
    /// a timeout (CTAP 2.3 §6.5).
    public package(set) var timeoutCounts = false
    /// The changes to the enrolled set that invalidate the keys bound to it.
    public package(set) var invalidationRule: InvalidationRule
    /// Whether a match by a passive sensor must be confirmed.
    public package(set) var confirmation = ConfirmationRule.never
    /// Whether the user must look at the device for a face to match, as with Face ID by default.
    public package(set) var requiresAttention = false
    /// The effect of the power button on a prompt.
    public package(set) var powerButton = PowerButtonRule.systemCancelled
    /// The rules by which the device credential is due; one is enough.
    public package(set) var strongAuthentication: [StrongAuthenticationRule] = []
    /// The lockout policy of the device credential; `nil` for none.
    public package(set) var credentialLockout: CredentialLockoutPolicy?
    /// Whether the sensors are disabled while no device credential is set: LAError's `passcodeNotSet`.
    public package(set) var sensorsNeedCredential = false
    /// Whether a passkey is made and used only while a device credential is set.
    public package(set) var passkeysNeedCredential = false
    /// Whether a template needs a device credential, whose removal removes all templates: Android.
    public package(set) var templatesNeedCredential = false
    /// The prompts for which the rules of ``strongAuthentication`` hold.
    public package(set) var strongAuthenticationAt = StrongAuthenticationScope.everyPrompt
    /// Whether a passive sensor waits for "Try again" after a failure, or when it saw no user: Android's face prompts.
    public package(set) var passiveSensorsPause = false
    /// Whether the device credential is due after the device is switched on.
    public package(set) var powerCycleRequiresCredential = false
    /// Whether a power cycle clears all failed attempts and unlocks the sensors.
    public package(set) var powerCycleClearsLockout = false
    /// The effect of a second prompt on the open one.
    public package(set) var secondPrompt = SecondPromptRule.replaces

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
    public init(
        attemptsPerPrompt: Int? = nil, fallbackOfferedAfter: Int? = nil, lockout: LockoutPolicy,
        deviceCredentialFallback: Bool = false, credentialAttemptsPerPrompt: Int? = nil,
        promptTimeout: Duration = .seconds(30), badCaptureCounts: Bool = false, timeoutCounts: Bool = false,
        invalidationRule: InvalidationRule, confirmation: ConfirmationRule = .never, requiresAttention: Bool = false,
        powerButton: PowerButtonRule = .systemCancelled, strongAuthentication: [StrongAuthenticationRule] = [],
        credentialLockout: CredentialLockoutPolicy? = nil, sensorsNeedCredential: Bool = false,
        passkeysNeedCredential: Bool = false,
        templatesNeedCredential: Bool = false, strongAuthenticationAt: StrongAuthenticationScope = .everyPrompt,
        passiveSensorsPause: Bool = false, powerCycleRequiresCredential: Bool = false,
        powerCycleClearsLockout: Bool = false, secondPrompt: SecondPromptRule = .replaces
    ) throws(GatePolicyError) {
        self.init(lockout, invalidationRule)
        (self.attemptsPerPrompt, self.fallbackOfferedAfter) = (attemptsPerPrompt, fallbackOfferedAfter)
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
        self.passkeysNeedCredential = passkeysNeedCredential
        self.templatesNeedCredential = templatesNeedCredential
        self.strongAuthenticationAt = strongAuthenticationAt
        self.passiveSensorsPause = passiveSensorsPause
        self.powerCycleRequiresCredential = powerCycleRequiresCredential
        self.powerCycleClearsLockout = powerCycleClearsLockout
        self.secondPrompt = secondPrompt
        try validate()
    }

    /// Describes a policy without checking it: ``validate()`` does.
    package init(_ lockout: LockoutPolicy, _ invalidationRule: InvalidationRule) {
        self.lockout = lockout
        self.invalidationRule = invalidationRule
    }
}

extension GatePolicy {
    /// Whether a power cycle can change the gate.
    public var reactsToPowerCycles: Bool {
        powerCycleRequiresCredential || powerCycleClearsLockout || credentialLockout?.reactsToPowerCycles == true
    }
}

extension GatePolicy: Codable, MemberwiseCodable {
    static let blank = GatePolicy(LockoutPolicy(), .never)

    static let members: [StoredMember<GatePolicy>] =
        LockoutPolicy.members.map { StoredMember($0, of: \.lockout) } + ownMembers

    private static let ownMembers: [StoredMember<GatePolicy>] = [
        StoredMember("attemptsPerPrompt", \.attemptsPerPrompt),
        StoredMember("fallbackOfferedAfter", \.fallbackOfferedAfter),
        StoredMember("deviceCredentialFallback", \.deviceCredentialFallback),
        StoredMember("credentialAttemptsPerPrompt", \.credentialAttemptsPerPrompt),
        StoredMember(milliseconds: "promptTimeoutMilliseconds", \.promptTimeout),
        StoredMember("badCaptureCounts", \.badCaptureCounts),
        StoredMember("timeoutCounts", \.timeoutCounts),
        StoredMember("invalidationRule", \.invalidationRule, isRequired: true),
        StoredMember("confirmation", \.confirmation),
        StoredMember("requiresAttention", \.requiresAttention),
        StoredMember("powerButton", \.powerButton),
        StoredMember("strongAuthentication", \.strongAuthentication),
        StoredMember("credentialLockout", \.credentialLockout),
        StoredMember("sensorsNeedCredential", \.sensorsNeedCredential),
        StoredMember("passkeysNeedCredential", \.passkeysNeedCredential),
        StoredMember("templatesNeedCredential", \.templatesNeedCredential),
        StoredMember("strongAuthenticationAt", \.strongAuthenticationAt),
        StoredMember("passiveSensorsPause", \.passiveSensorsPause),
        StoredMember("powerCycleRequiresCredential", \.powerCycleRequiresCredential),
        StoredMember("powerCycleClearsLockout", \.powerCycleClearsLockout),
        StoredMember("secondPrompt", \.secondPrompt),
    ]
}
