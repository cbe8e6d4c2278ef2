/// A sample presented to a sensor.
public enum Sample: Hashable, Codable, Sendable {
    /// A sample that belongs to a template; without an id, to the first one.
    ///
    /// A sample with an unknown id does not match, and counts as a failed attempt.
    case match(templateID: [UInt8]? = nil)
    /// A matching sample of a user who does not look at the device: a match, or a hint if attention is required.
    case inattentiveMatch
    /// A good sample that matches no template; counts as a failed attempt.
    case nonMatch
    /// A sample too poor to compare; counts as a failed attempt only if the policy says so.
    case badCapture(AcquiredHint)
    /// A detected copy; counts as a failed attempt.
    case spoof

    /// The stable name, such as `match` or `badCapture.tooFast`.
    public var label: String {
        switch self {
        case .match: "match"
        case .inattentiveMatch: "inattentiveMatch"
        case .nonMatch: "nonMatch"
        case .badCapture(let hint): "badCapture.\(hint.rawValue)"
        case .spoof: "spoof"
        }
    }
}

/// An act of the user, the system, a sensor or an app during a prompt.
public enum GateAct: Hashable, Sendable {
    /// A sample at a modality's sensor; default: the prompt's first; ignored if the prompt does not use it.
    case sample(Sample, on: BiometricModality? = nil)
    /// The user confirms a match; ignored unless the prompt asks for it.
    case confirm
    /// The user does not confirm a match; ignored unless the prompt asks for it.
    case declineConfirmation
    /// The user cancels the prompt.
    case cancelByUser
    /// The system takes the screen: a call, the lock button, another app.
    case cancelBySystem
    /// The prompt's app leaves the screen: the home button, another app, the lock screen.
    case leaveScreen
    /// The app or the client withdraws its request.
    case cancelByApp
    /// The user chooses the fallback; ignored unless the prompt offers it.
    case fallback
    /// The user types the challenge phrase; ignored unless the prompt asks for it.
    case challengePhrase
    /// The user enters the device credential; ignored unless the prompt asks for it.
    case passcode(correct: Bool)
    /// The user presses the power button; see ``PowerButtonRule``.
    case powerButton
    /// The sensor gives up on the prompt with an error, and works again for the next one.
    case sensorError(SensorError)
    /// The user lets a paused sensor look again; ignored unless the prompt is paused.
    case tryAgain
    /// The user accepts the refusal, or leaves the question for the device credential unanswered; ignored while the prompt
    /// senses.
    case giveUp
    /// The user does nothing until the prompt times out.
    case noAnswer

    /// The stable name, such as `match`, `badCapture.tooFast` or `face.nonMatch`.
    public var label: String {
        switch self {
        case .sample(let sample, let modality): (modality.map { "\($0.rawValue)." } ?? "") + sample.label
        case .confirm: "confirm"
        case .declineConfirmation: "declineConfirmation"
        case .cancelByUser: "cancelByUser"
        case .cancelBySystem: "cancelBySystem"
        case .leaveScreen: "leaveScreen"
        case .cancelByApp: "cancelByApp"
        case .fallback: "fallback"
        case .challengePhrase: "challengePhrase"
        case .passcode(let correct): correct ? "passcode.correct" : "passcode.wrong"
        case .powerButton: "powerButton"
        case .sensorError(let error): "sensorError.\(error.rawValue)"
        case .tryAgain: "tryAgain"
        case .giveUp: "giveUp"
        case .noAnswer: "noAnswer"
        }
    }

    /// The sample; `nil` for other acts.
    public var sample: Sample? { if case .sample(let sample, _) = self { sample } else { nil } }

    /// The named sensor; `nil` for the prompt's first sensor, or for none.
    public var modality: BiometricModality? { if case .sample(_, let modality) = self { modality } else { nil } }

    /// Whether a prompt in a stage accepts the act; samples are accepted only in ``GateStage/sensing``.
    public func answers(_ stage: GateStage) -> Bool {
        switch self {
        case .cancelByUser, .cancelBySystem, .leaveScreen, .cancelByApp, .powerButton, .noAnswer: stage != .idle
        case .confirm, .declineConfirmation: stage == .confirming
        case .tryAgain: stage == .paused
        case .giveUp: stage == .stopped || stage == .deviceCredential || stage == .challengePhrase
        case .fallback: stage == .sensing || stage == .paused || stage == .stopped
        case .challengePhrase: stage == .challengePhrase
        case .passcode: stage == .deviceCredential
        case .sample, .sensorError: stage == .sensing
        }
    }
}

/// Samples at the prompt's first sensor.
extension GateAct {
    /// ``Sample/match(templateID:)``.
    public static func match(templateID: [UInt8]? = nil) -> GateAct { .sample(.match(templateID: templateID)) }
    /// ``Sample/inattentiveMatch``.
    public static let inattentiveMatch = GateAct.sample(.inattentiveMatch)
    /// ``Sample/nonMatch``.
    public static let nonMatch = GateAct.sample(.nonMatch)
    /// ``Sample/badCapture(_:)``.
    public static func badCapture(_ hint: AcquiredHint) -> GateAct { .sample(.badCapture(hint)) }
    /// ``Sample/spoof``.
    public static let spoof = GateAct.sample(.spoof)
}

/// An error of the sensor during a prompt.
public enum SensorError: String, Codable, CaseIterable, Sendable {
    /// The sensor cannot process the sample.
    case unableToProcess
    /// A vendor-specific error.
    case vendor
    /// The sensor has no memory left.
    case noSpace
    /// The calibration is bad, or the templates are no longer usable.
    case reEnrolRequired
    /// The sensor does not respond.
    case hardwareUnavailable
    /// A code unknown to the app.
    case unknown
}
