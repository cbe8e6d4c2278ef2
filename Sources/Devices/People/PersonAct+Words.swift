internal import Biometrics
internal import CTAP

extension PersonAct {
    /// The words commands and scenarios use for acts, with what they mean.
    public static let vocabulary: [(word: String, act: PersonAct, meaning: String)] =
        [
            ("touch", .touch, "touches the device; at a sensor, as its owner"),
            ("short-touch", .touchBriefly, "touches the device and lets go, where a long touch may be asked for"),
            ("match", .gate(.match()), "shows the enrolled face or finger"),
            ("no-match", .gate(.nonMatch), "shows a face or finger that is not enrolled"),
            ("spoof", .gate(.spoof), "shows a mask or a copy, which the sensor rejects"),
            ("bad-capture", .gate(.badCapture(.partial)), "shows too little to compare; does not count"),
            ("passcode", .gate(.passcode(correct: true)), "enters the device's passcode"),
            ("wrong-passcode", .gate(.passcode(correct: false)), "enters a wrong passcode"),
            ("fallback", .gate(.fallback), "presses the fallback button, once it is offered"),
            ("cancel", .gate(.cancelByUser), "presses Cancel; declines a touch"),
            ("system-cancel", .gate(.cancelBySystem), "gets a call, or locks the phone"),
            ("app-cancel", .gate(.cancelByApp), "sees the app take its question back"),
            ("no-answer", .gate(.noAnswer), "does nothing until the prompt ends"),
        ]
        + EnrollSampleStatus.allCases.map { status in
            ("sample:\(status.word)", .sample(status), "gives the sensor a sample while enrolling: \(status.meaning)")
        }

    /// The act of a word; `choose:N` takes the Nth account, counted from 1.
    public init?(word: String) {
        if word.hasPrefix("choose:"), let number = Int(word.dropFirst("choose:".count)), number >= 1 {
            self = .choose(number - 1)
        } else if let match = Self.vocabulary.first(where: { $0.word == word }) {
            self = match.act
        } else {
            return nil
        }
    }
}

extension EnrollSampleStatus {
    /// The word for it in commands and scenarios.
    var word: String {
        switch self {
        case .good: "good"
        case .tooHigh: "too-high"
        case .tooLow: "too-low"
        case .tooLeft: "too-left"
        case .tooRight: "too-right"
        case .tooFast: "too-fast"
        case .tooSlow: "too-slow"
        case .poorQuality: "poor-quality"
        case .tooSkewed: "too-skewed"
        case .tooShort: "too-short"
        case .mergeFailure: "merge-failure"
        case .exists: "exists"
        case .noUserActivity: "no-user-activity"
        case .noUserPresenceTransition: "no-presence-transition"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .good: "a good one"
        case .mergeFailure: "one that does not fit the ones before"
        case .exists: "of a finger that is enrolled already"
        case .noUserActivity: "none, until the time is up"
        case .noUserPresenceTransition: "without lifting the finger in between"
        default: word.split(separator: "-").joined(separator: " ")
        }
    }
}
