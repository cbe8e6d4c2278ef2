/// What a sensor is shown.
public enum Sample: Hashable, Codable, Sendable {
    /// A sample that belongs to a template; without an id, to the first one.
    ///
    /// An id that is not enrolled (any more) is a stranger's sample: it does not match, and counts.
    case match(templateID: [UInt8]? = nil)
    /// The same by a person who does not look at the device: a match, or where attention is asked for, a hint.
    case inattentiveMatch
    /// A good sample of somebody, or something, that is not enrolled; counts as a failed attempt.
    case nonMatch
    /// A sample too poor to compare; does not count unless the policy says so.
    case badCapture(AcquiredHint)
    /// A copy that was recognised as one; counts as a failed attempt, as a sample that does not match would.
    case spoof

    /// A name that stays the same between versions, such as `match` or `badCapture.tooFast`.
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

/// What a person, the system, a sensor or an app does while a prompt is up.
public enum GateAct: Hashable, Codable, Sendable {
    /// ``Sample/match(templateID:)`` at the sensor the prompt leads with.
    case match(templateID: [UInt8]? = nil)
    /// ``Sample/inattentiveMatch`` at the sensor the prompt leads with.
    case inattentiveMatch
    /// ``Sample/nonMatch`` at the sensor the prompt leads with.
    case nonMatch
    /// ``Sample/badCapture(_:)`` at the sensor the prompt leads with.
    case badCapture(AcquiredHint)
    /// ``Sample/spoof`` at the sensor the prompt leads with.
    case spoof
    /// A sample at the sensor for this modality; ignored where the prompt does not sense with it.
    case sample(Sample, on: BiometricModality)
    /// The person confirms a match; means something only when the prompt asks for it.
    case confirm
    /// The person does not confirm a match; means something only when the prompt asks for it.
    case declineConfirmation
    /// The person closes the prompt.
    case cancelByUser
    /// The system takes the screen: a call, the lock button, another app.
    case cancelBySystem
    /// The app, or the client on the other end, withdraws its question.
    case cancelByApp
    /// The person takes the way out that the prompt offers; means something only once it is offered.
    case fallback
    /// The person enters the device credential; means something only when the prompt asks for it.
    case passcode(correct: Bool)
    /// The person presses the power button; see ``PowerButtonRule``.
    case powerButton
    /// The sensor gives up on the prompt with an error, and works again for the next one.
    case sensorError(SensorError)
    /// The person takes a refusal as it is; means something only where the prompt has stopped sensing.
    case giveUp
    /// Nobody does anything until the prompt's time is up.
    case noAnswer

    /// A name that stays the same between versions, such as `match`, `badCapture.tooFast` or `face.nonMatch`.
    public var label: String {
        switch self {
        case .match, .inattentiveMatch, .nonMatch, .badCapture, .spoof: sample?.label ?? ""
        case .sample(let sample, let modality): "\(modality.rawValue).\(sample.label)"
        case .confirm: "confirm"
        case .declineConfirmation: "declineConfirmation"
        case .cancelByUser: "cancelByUser"
        case .cancelBySystem: "cancelBySystem"
        case .cancelByApp: "cancelByApp"
        case .fallback: "fallback"
        case .passcode(let correct): correct ? "passcode.correct" : "passcode.wrong"
        case .powerButton: "powerButton"
        case .sensorError(let error): "sensorError.\(error.rawValue)"
        case .giveUp: "giveUp"
        case .noAnswer: "noAnswer"
        }
    }

    /// What a sensor is shown; `nil` for everything else.
    public var sample: Sample? {
        switch self {
        case .match(let templateID): .match(templateID: templateID)
        case .inattentiveMatch: .inattentiveMatch
        case .nonMatch: .nonMatch
        case .badCapture(let hint): .badCapture(hint)
        case .spoof: .spoof
        case .sample(let sample, _): sample
        default: nil
        }
    }

    /// The sensor it names; `nil` for the one the prompt leads with, or for none.
    public var modality: BiometricModality? {
        if case .sample(_, let modality) = self { modality } else { nil }
    }

    /// Whether it means something to a prompt that is in a stage; what is meant for a sensor does not outside of
    /// ``GateStage/sensing``.
    public func answers(_ stage: GateStage) -> Bool {
        switch self {
        case .cancelByUser, .cancelBySystem, .cancelByApp, .powerButton, .noAnswer: stage != .idle
        case .confirm, .declineConfirmation: stage == .confirming
        case .giveUp: stage == .stopped
        case .fallback: stage == .sensing || stage == .stopped
        case .passcode: stage == .deviceCredential
        case .match, .inattentiveMatch, .nonMatch, .badCapture, .spoof, .sample, .sensorError: stage == .sensing
        }
    }
}

/// An error of the sensor in the middle of a prompt.
public enum SensorError: String, Codable, CaseIterable, Sendable {
    /// It cannot make sense of what it sees.
    case unableToProcess
    /// One of the maker's own.
    case vendor
    /// It has no memory left.
    case noSpace
    /// Its calibration is bad, or what is enrolled cannot be used any more.
    case reEnrolRequired
    /// It does not answer.
    case hardwareUnavailable
    /// A code that came after the app was written.
    case unknown
}
