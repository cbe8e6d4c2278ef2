internal import Biometrics
internal import Causes

/// The gate's events as text.
enum GateWords {
    static func input(_ event: GateEvent) -> String {
        let part = event.modality.map { $0.rawValue } ?? "sensor"
        switch event.input {
        case .begin: return "prompt"
        case .present(let act): return words(act, part)
        case .enterDeviceCredential(let correct): return "lock screen: \(correct ? "right" : "wrong") passcode"
        case .enrol(let template, _): return "\(template.name) is enrolled"
        case .replace(_, let template, _): return "\(template.name) replaces another template"
        case .rename(_, let name, _): return "a template is renamed \(name)"
        case .removeTemplate: return "a \(part) is removed"
        case .removeAllTemplates: return "every template is removed"
        case .setAvailability(let availability, nil): return "the sensor is \(availability.rawValue)"
        case .setAvailability(let availability, let modality?):
            return "the \(modality.rawValue) sensor is \(availability.rawValue)"
        case .setDeviceCredential: return "a device credential is set"
        case .resetDeviceCredential: return "an administrator resets the device credential"
        case .removeDeviceCredential: return "the device credential is removed"
        case .requireCredential(let reason): return "the device credential is required: \(reason.rawValue)"
        case .lockOut(nil): return "every sensor is locked permanently"
        case .lockOut(let modality?): return "the \(modality.rawValue) sensor is locked permanently"
        case .exhaust: return "no retries are left"
        case .refill: return "the retries are restored"
        case .powerCycle: return "the device is switched off and on"
        }
    }

    private static func words(_ act: GateAct, _ part: String) -> String {
        switch act {
        case .sample(let sample, let modality): "user: " + words(sample, modality?.rawValue ?? part)
        case .confirm: "user: confirms"
        case .declineConfirmation: "user: does not confirm"
        case .powerButton: "user: presses the power button"
        case .sensorError(let error): "sensor: error (\(error.rawValue))"
        case .cancelByUser: "user: presses Cancel"
        case .cancelBySystem: "system: cancels the prompt"
        case .leaveScreen: "user: leaves the app"
        case .cancelByApp: "app: cancels the prompt"
        case .fallback: "user: presses the fallback button"
        case .challengePhrase: "user: enters the challenge phrase"
        case .passcode(let correct): "user: enters \(correct ? "the right" : "a wrong") passcode"
        case .tryAgain: "user: presses Try again"
        case .giveUp: "user: gives up"
        case .noAnswer: "user: does nothing"
        }
    }

    private static func words(_ sample: Sample, _ part: String) -> String {
        switch sample {
        case .match: "shows the enrolled \(part)"
        case .inattentiveMatch: "shows the enrolled \(part) without looking"
        case .nonMatch: "shows a \(part) that does not match"
        case .badCapture(let hint) where hint.isProgress: "waits for the sensor (\(hint.rawValue))"
        case .badCapture(let hint): "shows the \(part) in poor quality (\(hint.rawValue))"
        case .spoof: "shows a copy of the \(part)"
        }
    }

    /// The reason why no sensor can be used.
    private static func words(_ obstacle: GateFailure) -> String {
        switch obstacle {
        case .lockedOut, .lockedOutPermanently: "the sensor is locked"
        case .sensorAbsent: "there is no sensor"
        case .sensorBusy: "the sensor is busy"
        case .sensorFailed: "the sensor is broken"
        case .sensorDisconnected: "the sensor is not connected"
        case .sensorNotPaired: "the sensor is not paired"
        case .sensorPrivacy: "the sensors are switched off"
        case .disabledByPolicy: "a policy forbids the sensor"
        case .permissionDenied: "the app may not use the sensor"
        case .securityUpdateRequired: "the sensor needs a security update"
        case .strengthInsufficient: "the sensor is too weak"
        case .notEnrolled: "nothing is enrolled"
        case .strongAuthenticationDue(let reason): "the passcode is due (\(reason.rawValue))"
        default: "the sensor cannot be used (\(obstacle.cause))"
        }
    }

    private static func isAct(_ input: GateInput) -> Bool { if case .present = input { true } else { false } }

    /// The act that a prompt asks for at a stage.
    static func question(_ stage: GateStage) -> String {
        switch stage {
        case .idle: "no prompt is open"
        case .sensing: "the prompt waits for the sensor"
        case .confirming: "the prompt asks for the confirmation"
        case .paused: "the prompt waits until the user tries again"
        case .stopped: "the prompt offers only the fallback"
        case .challengePhrase: "the prompt asks for the challenge phrase"
        case .deviceCredential: "the prompt asks for the passcode"
        }
    }

    static func step(_ event: GateEvent) -> String {
        switch event.step {
        case .sensing(let modality): " for the \(modality.rawValue)"
        case .hint: ", which does not count"
        case .tryAgain(let fallbackOffered): ", and is asked again" + (fallbackOffered ? " with a fallback" : "")
        case .paused: ", and is asked to try again"
        case .stopped: ", and the prompt offers only the fallback"
        case .confirmationRequired: ", and is asked to confirm"
        case .challengePhraseRequired: ", and is asked for the challenge phrase"
        case .deviceCredentialRequired:
            switch event.input {
            case .begin: " for the passcode" + (event.obstacle.map { ", because \(words($0))" } ?? "")
            default: ", and is asked for the passcode"
            }
        case .refused(let refusal): " refused: \(refusal.cause)"
        case .ended(.verified): " → verified"
        case .ended(.failed(let failure)): " → \(failure.cause)"
        case .ignored: ", without effect" + (isAct(event.input) ? ": \(question(event.stageBefore))" : "")
        case .changed: ""
        }
    }
}
