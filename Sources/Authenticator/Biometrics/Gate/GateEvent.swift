/// An input to a gate; a log of inputs can be replayed, because nothing else changes its state.
public enum GateInput: Hashable, Codable, Sendable {
    /// A prompt starts.
    case begin(PromptOptions)
    /// An act during a prompt.
    case present(GateAct)
    /// The device credential is entered on the unlock screen.
    case enterDeviceCredential(correct: Bool)
    /// A template is enrolled.
    case enrol(BiometricTemplate, on: BiometricModality? = nil)
    /// A template is replaced.
    case replace(templateID: [UInt8], with: BiometricTemplate, on: BiometricModality? = nil)
    /// A template is renamed.
    case rename(templateID: [UInt8], to: String, on: BiometricModality? = nil)
    /// A template is removed.
    case removeTemplate(id: [UInt8], on: BiometricModality? = nil)
    /// Every template is removed.
    case removeAllTemplates
    /// A sensor's availability changes.
    case setAvailability(SensorAvailability, on: BiometricModality? = nil)
    /// The device credential is set or changed.
    case setDeviceCredential(DeviceCredential.Kind)
    /// An administrator replaces the device credential.
    case resetDeviceCredential(DeviceCredential.Kind)
    /// The device credential is removed.
    case removeDeviceCredential
    /// The device credential becomes due.
    case requireCredential(StrongAuthenticationReason)
    /// A sensor, or with `nil` every one, is locked permanently.
    case lockOut(BiometricModality?)
    /// All retries are used up.
    case exhaust
    /// All retries are restored.
    case refill
    /// The device is switched off and on.
    case powerCycle

    /// The stable name: the input's, and the act's after a dot.
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
        case .resetDeviceCredential: "resetDeviceCredential"
        case .removeDeviceCredential: "removeDeviceCredential"
        case .requireCredential(let reason): "requireCredential.\(reason.rawValue)"
        case .lockOut: "lockOut"
        case .exhaust: "exhaust"
        case .refill: "refill"
        case .powerCycle: "powerCycle"
        }
    }
}

/// A gate's answer.
public enum GateStep: Hashable, Codable, Sendable {
    /// A prompt is open and waits for a sample; the modality is its first sensor's.
    case sensing(BiometricModality)
    /// The sample could not be compared; the prompt stays.
    case hint(AcquiredHint)
    /// The attempt failed; the prompt stays, and may now offer the fallback.
    case tryAgain(fallbackOffered: Bool)
    /// The attempt failed, or the sensor saw no user; the prompt stays and waits for the user to try again.
    case paused
    /// The prompt's last attempt failed; only the fallback is left.
    case stopped
    /// The sample matched; the prompt asks the user to confirm.
    case confirmationRequired(BiometricModality)
    /// The prompt asks for the challenge phrase before the device credential.
    case challengePhraseRequired
    /// The prompt asks for the device credential.
    case deviceCredentialRequired
    /// No prompt opened.
    case refused(GateFailure)
    /// The prompt or the unlock screen has ended.
    case ended(GateOutcome)
    /// The input was ignored.
    case ignored
    /// The device changed outside a prompt, or without ending it.
    case changed

    /// The stable name, such as `tryAgain`, `refused.notEnrolled` or `ended.timedOut`.
    public var label: String {
        switch self {
        case .sensing: "sensing"
        case .hint(let hint): "hint.\(hint.rawValue)"
        case .tryAgain: "tryAgain"
        case .paused: "paused"
        case .stopped: "stopped"
        case .confirmationRequired: "confirmationRequired"
        case .challengePhraseRequired: "challengePhraseRequired"
        case .deviceCredentialRequired: "deviceCredentialRequired"
        case .refused(let refusal): "refused.\(refusal.cause)"
        case .ended(let outcome): "ended.\(outcome.cause)"
        case .ignored: "ignored"
        case .changed: "changed"
        }
    }
}

/// The record of one input to a gate: the input, its effect and the gate's answer.
public struct GateEvent: Hashable, Codable, Sendable {
    /// The time since the Unix epoch.
    public let at: Duration
    /// The input.
    public let input: GateInput
    /// The gate's answer.
    public let step: GateStep
    /// The sensor: the named one, or the prompt's first; `nil` without a sensor.
    ///
    /// The event's failures and lockouts are this sensor's.
    public let modality: BiometricModality?
    /// The stage before.
    public let stageBefore: GateStage
    /// The stage after.
    public let stageAfter: GateStage
    /// Failed biometric attempts in a row, before.
    public let failuresBefore: Int
    /// Failed biometric attempts in a row, after.
    public let failuresAfter: Int
    /// The lockout in force before.
    public let lockoutBefore: Lockout
    /// The lockout in force after.
    public let lockoutAfter: Lockout
    /// Whether the input counted as a failed biometric attempt.
    public let counted: Bool
    /// The reason why a prompt begins with the device credential in place of a sensor; `nil` for other events.
    public let obstacle: GateFailure?
    /// Nil for no erasure; older events lack the member.
    let erasure: Bool?

    /// Whether wrong device credentials made the device erase itself; see
    /// ``CredentialLockoutPolicy/permanentErases``.
    public var erasesDevice: Bool { erasure == true }
}
