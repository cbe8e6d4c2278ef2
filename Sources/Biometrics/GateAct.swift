/// What a person, the system or an app does while a prompt is up.
public enum GateAct: Hashable, Codable, Sendable {
    /// A sample that belongs to a template; without an id, to the first one.
    ///
    /// An id that is not enrolled (any more) is a stranger's sample: it does not match, and counts.
    case match(templateID: [UInt8]? = nil)
    /// A good sample of somebody, or something, that is not enrolled; counts as a failed attempt.
    case nonMatch
    /// A sample too poor to compare; does not count unless the policy says so.
    case badCapture(AcquiredHint)
    /// A copy that was recognised as one; counts as a failed attempt, as a sample that does not match would.
    case spoof
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
    /// Nobody does anything until the prompt's time is up.
    case noAnswer

    /// A name that stays the same between versions, such as `match` or `badCapture.tooFast`.
    public var label: String {
        switch self {
        case .match: "match"
        case .nonMatch: "nonMatch"
        case .badCapture(let hint): "badCapture.\(hint.rawValue)"
        case .spoof: "spoof"
        case .cancelByUser: "cancelByUser"
        case .cancelBySystem: "cancelBySystem"
        case .cancelByApp: "cancelByApp"
        case .fallback: "fallback"
        case .passcode(let correct): correct ? "passcode.correct" : "passcode.wrong"
        case .noAnswer: "noAnswer"
        }
    }
}

/// What was wrong with a sample that could not be compared.
public enum AcquiredHint: String, Codable, CaseIterable, Sendable {
    case partial
    case insufficient
    case sensorDirty
    case tooFast
    case tooSlow
    case tooDark
    case tooBright
    case immobile
    case tooHigh
    case tooLow
    case tooLeft
    case tooRight
    case tooClose
    case tooFar
    case lookedAway
    case notDetected
}
