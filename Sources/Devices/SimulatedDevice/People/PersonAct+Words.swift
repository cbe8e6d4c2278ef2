internal import Biometrics
internal import CTAP

extension PersonAct {
    /// The words commands and scenarios use for acts, with what they mean.
    ///
    /// Acts at a sensor also take the sensor's name, as ``words`` says.
    package static let vocabulary: [(word: String, act: PersonAct, meaning: String)] =
        [
            ("touch", .touch, "touches the device; at a sensor, as its owner"),
            ("short-touch", .touchBriefly, "touches the device and lets go, where a long touch may be asked for"),
            ("match", .gate(.match()), "shows the enrolled face or finger"),
            (
                "match-inattentive", .gate(.inattentiveMatch),
                "shows the enrolled face without looking; does not count where attention is asked for"
            ),
            ("no-match", .gate(.nonMatch), "shows a face or finger that is not enrolled"),
            ("spoof", .gate(.spoof), "shows a mask or a copy, which the sensor rejects"),
            ("bad-capture", .gate(.badCapture(.partial)), "shows too little to compare; does not count"),
            ("confirm", .gate(.confirm), "confirms a match; done unasked when nothing else is told"),
            ("decline-confirmation", .gate(.declineConfirmation), "does not confirm a match"),
            ("passcode", .gate(.passcode(correct: true)), "enters the device's passcode"),
            ("wrong-passcode", .gate(.passcode(correct: false)), "enters a wrong passcode"),
            ("fallback", .gate(.fallback), "presses the fallback button, once it is offered"),
            ("cancel", .gate(.cancelByUser), "presses Cancel; declines a touch"),
            ("system-cancel", .gate(.cancelBySystem), "gets a call, or locks the phone"),
            ("app-cancel", .gate(.cancelByApp), "sees the app take its question back"),
            ("power-button", .gate(.powerButton), "presses the power button"),
            (
                "give-up", .gate(.giveUp),
                "takes it that the sensor has given up; done unasked when nothing else is told"
            ),
            ("no-answer", .gate(.noAnswer), "does nothing until the prompt ends"),
        ]
        + AcquiredHint.allCases.filter { $0 != .partial }.map { hint in
            (
                "bad-capture:\(hint.word)", .gate(.badCapture(hint)),
                hint.isProgress ? "waits while the sensor says: \(hint.words)" : "is told by the sensor: \(hint.words)"
            )
        }
        + SensorError.allCases.map { error in
            ("sensor-error:\(error.word)", .gate(.sensorError(error)), "meets an error of the sensor: \(error.meaning)")
        }
        + EnrollSampleStatus.allCases.map { status in
            ("sample:\(status.word)", .sample(status), "gives the sensor a sample while enrolling: \(status.meaning)")
        }

    /// The words, in short, for those who wrote another one.
    package static let words: String = {
        let plain = vocabulary.map(\.word).filter { !$0.contains(":") }.joined(separator: ", ")
        let sensors = BiometricModality.allCases.map(\.rawValue).joined(separator: ", ")
        return plain + ", bad-capture:HINT, sensor-error:ERROR, sample:STATUS, choose:N; match, match-inattentive, "
            + "no-match, spoof and bad-capture may name the sensor, as in match:face (\(sensors))"
    }()

    /// The act of a word; `choose:N` takes the Nth account, counted from 1.
    ///
    /// `match:face` and `bad-capture:too-fast:fingerprint` name the sensor, where there are several.
    package init?(word: String) {
        if word.hasPrefix("choose:"), let number = Int(word.dropFirst("choose:".count)), number >= 1 {
            self = .choose(number - 1)
        } else if let act = Self.act(word) {
            self = act
        } else if let colon = word.lastIndex(of: ":"),
            let modality = BiometricModality(rawValue: String(word[word.index(after: colon)...])),
            case .gate(let act)? = Self.act(String(word[..<colon])), let sample = act.sample
        {
            self = .gate(.sample(sample, on: modality))
        } else {
            return nil
        }
    }

    private static func act(_ word: String) -> PersonAct? {
        // What bad-capture stands for by itself may be said in full.
        word == "bad-capture:partial" ? .gate(.badCapture(.partial)) : vocabulary.first { $0.word == word }?.act
    }

    /// The word for the act; one that has none, such as a match of a certain finger, goes by the gate's name.
    package var word: String {
        switch self {
        case .choose(let index): return "choose:\(index + 1)"
        case .gate(.sample(let sample, let modality)):
            return PersonAct.gate(GateAct(sample)).word + ":" + modality.rawValue
        case .gate(let act): return Self.vocabulary.first { $0.act == self }?.word ?? act.label
        default: return Self.vocabulary.first { $0.act == self }?.word ?? "act"
        }
    }
}

extension GateAct {
    /// A sample at the sensor the prompt leads with.
    fileprivate init(_ sample: Sample) {
        switch sample {
        case .match(let templateID): self = .match(templateID: templateID)
        case .inattentiveMatch: self = .inattentiveMatch
        case .nonMatch: self = .nonMatch
        case .badCapture(let hint): self = .badCapture(hint)
        case .spoof: self = .spoof
        }
    }
}

extension AcquiredHint {
    fileprivate var word: String { rawValue.hyphenated }
    fileprivate var words: String { rawValue.hyphenated.split(separator: "-").joined(separator: " ") }
}

extension SensorError {
    fileprivate var word: String { rawValue.hyphenated }

    fileprivate var meaning: String {
        switch self {
        case .unableToProcess: "it cannot make sense of what it sees"
        case .vendor: "one of its maker's own"
        case .noSpace: "it has no memory left"
        case .reEnrolRequired: "its calibration is bad"
        case .hardwareUnavailable: "it does not answer"
        case .unknown: "one that came after the app was written"
        }
    }
}

extension String {
    /// `tooFast` as `too-fast`.
    fileprivate var hyphenated: String {
        map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
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
