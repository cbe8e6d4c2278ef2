/// What was done to a gate: everything that can change its state, so that a log of events can be replayed.
public enum GateInput: Hashable, Codable, Sendable {
    case begin(PromptOptions)
    case present(GateAct)
    case enterDeviceCredential(correct: Bool)
    case enrol(BiometricTemplate, on: BiometricModality? = nil)
    case replace(templateID: [UInt8], with: BiometricTemplate, on: BiometricModality? = nil)
    case rename(templateID: [UInt8], to: String, on: BiometricModality? = nil)
    case removeTemplate(id: [UInt8], on: BiometricModality? = nil)
    case removeAllTemplates
    case setAvailability(SensorAvailability, on: BiometricModality? = nil)
    case setDeviceCredential(DeviceCredential.Kind)
    case removeDeviceCredential
    case requireCredential(StrongAuthenticationReason)
    case lockOut(BiometricModality?)
    case exhaust
    case refill
    case powerCycle

    /// A name that stays the same between versions: the input's, and the act's after a dot.
    public var label: String {
        switch self {
        case .begin: "begin"
        case .present(let act): "present.\(act.label)"
        case .enterDeviceCredential(let correct): "enterDeviceCredential.\(correct ? "correct" : "wrong")"
        case .enrol: "enrol"
        case .replace: "replace"
        case .rename: "rename"
        case .removeTemplate: "removeTemplate"
        case .removeAllTemplates: "removeAllTemplates"
        case .setAvailability(let availability, _): "setAvailability.\(availability.rawValue)"
        case .setDeviceCredential: "setDeviceCredential"
        case .removeDeviceCredential: "removeDeviceCredential"
        case .requireCredential(let reason): "requireCredential.\(reason.rawValue)"
        case .lockOut: "lockOut"
        case .exhaust: "exhaust"
        case .refill: "refill"
        case .powerCycle: "powerCycle"
        }
    }
}

/// What a gate answered.
public enum GateStep: Hashable, Codable, Sendable {
    /// A prompt is up and its sensors wait for a sample; this is the one it leads with.
    case sensing(BiometricModality)
    /// The sample could not be compared; the prompt stays.
    case hint(AcquiredHint)
    /// The attempt failed; the prompt stays, and may offer its way out from now on.
    case tryAgain(fallbackOffered: Bool)
    /// The attempt failed and was the prompt's last; only its way out is left to take.
    case stopped
    /// The sample matched; the prompt asks the person to confirm that.
    case confirmationRequired(BiometricModality)
    /// The prompt asks for the device credential.
    case deviceCredentialRequired
    /// No prompt came up.
    case refused(GateFailure)
    /// The prompt is over, or the unlock screen has its answer.
    case ended(GateOutcome)
    /// The input meant nothing here; nothing changed.
    case ignored
    /// The device changed outside a prompt, or without ending it.
    case changed

    /// A name that stays the same between versions, such as `tryAgain`, `refused.notEnrolled` or `ended.timedOut`.
    public var label: String {
        switch self {
        case .sensing: "sensing"
        case .hint(let hint): "hint.\(hint.rawValue)"
        case .tryAgain: "tryAgain"
        case .stopped: "stopped"
        case .confirmationRequired: "confirmationRequired"
        case .deviceCredentialRequired: "deviceCredentialRequired"
        case .refused(let refusal): "refused.\(refusal.cause)"
        case .ended(let outcome): "ended.\(outcome.cause)"
        case .ignored: "ignored"
        case .changed: "changed"
        }
    }
}

/// The record of one input to a gate: what it was, what it changed, what the gate answered.
public struct GateEvent: Hashable, Codable, Sendable {
    /// When, since the Unix epoch.
    public let at: Duration
    /// What was done.
    public let input: GateInput
    /// What the gate answered.
    public let step: GateStep
    /// The sensor it is about: the one named, or the one the prompt leads with; `nil` without a sensor.
    ///
    /// Failures and lockouts of the event are this sensor's.
    public let modality: BiometricModality?
    /// Where the prompt was.
    public let stageBefore: GateStage
    /// Where the prompt is.
    public let stageAfter: GateStage
    /// Failed biometric attempts in a row, before.
    public let failuresBefore: Int
    /// Failed biometric attempts in a row, after.
    public let failuresAfter: Int
    /// The lockout in force at this moment, before.
    public let lockoutBefore: Lockout
    /// The lockout in force at this moment, after.
    public let lockoutAfter: Lockout
    /// Whether this was charged as a failed biometric attempt.
    public let counted: Bool
    /// Nil where nothing was erased, and in events written before there was such a thing.
    let erasure: Bool?

    /// Whether wrong entries of the device credential made the device erase itself; see
    /// ``CredentialLockoutPolicy/permanentErases``.
    public var erasesDevice: Bool { erasure == true }
}
