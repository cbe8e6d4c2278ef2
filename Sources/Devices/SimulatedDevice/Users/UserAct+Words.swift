package import Biometrics
internal import CTAP
internal import Wording

extension UserAct {
    /// The words of acts in commands and scenarios, with their help; an act at a sensor can name it, as in ``words``.
    package static let vocabulary: [(word: String, act: UserAct, meaning: String)] =
        [
            ("touch", .touch, "touches the device, or its fingerprint sensor with an enrolled finger"),
            ("short-touch", .touchBriefly, "touches the device briefly, which is too short for a long touch"),
            ("match", .gate(.match()), "shows the enrolled face or finger"),
            (
                "match-inattentive", .gate(.inattentiveMatch),
                "shows the enrolled face without looking; no match where attention is required"
            ),
            ("no-match", .gate(.nonMatch), "shows a face or finger that is not enrolled"),
            ("spoof", .gate(.spoof), "shows a mask or a copy, which the sensor rejects"),
            ("bad-capture", .gate(.badCapture(.partial)), "shows too little to compare; not counted as a failure"),
            ("confirm", .gate(.confirm), "confirms a match; the default"),
            ("decline-confirmation", .gate(.declineConfirmation), "declines to confirm a match"),
            ("passcode", .gate(.passcode(correct: true)), "enters the device's passcode"),
            ("wrong-passcode", .gate(.passcode(correct: false)), "enters a wrong passcode"),
            ("fallback", .gate(.fallback), "presses the fallback button, if it is offered"),
            ("cancel", .gate(.cancelByUser), "presses Cancel; declines a touch"),
            (
                "system-cancel", .gate(.cancelBySystem),
                "the system cancels the prompt, as for a call or a locked screen"
            ),
            ("app-cancel", .gate(.cancelByApp), "the app cancels the prompt"),
            ("power-button", .gate(.powerButton), "presses the power button"),
            ("leave-screen", .gate(.leaveScreen), "leaves the app, which is no longer on the screen"),
            ("try-again", .gate(.tryAgain), "lets a face sensor look again after it paused; the default"),
            ("challenge-phrase", .gate(.challengePhrase), "types the challenge phrase; the default"),
            (
                "give-up", .gate(.giveUp),
                "accepts that the sensor has given up, which is the default at that point; closes a prompt for the passcode"
            ),
            ("no-answer", .gate(.noAnswer), "does nothing until the prompt's deadline"),
        ]
        + AcquiredHint.allCases.filter { $0 != .partial }.map { hint in
            (
                "bad-capture:\(hint.word)", .gate(.badCapture(hint)),
                hint.isProgress
                    ? "waits while the sensor reports: \(hint.words)"
                    : "shows a bad sample; the sensor reports: \(hint.words)"
            )
        }
        + SensorError.allCases.map { error in
            ("sensor-error:\(error.word)", .gate(.sensorError(error)), "the sensor reports an error: \(error.meaning)")
        }
        + EnrollSampleStatus.allCases.map { status in
            ("sample:\(status.word)", .sample(status), "gives a sample while enrolling: \(status.meaning)")
        }

    /// The words in short, for error messages.
    package static let words: String = {
        let plain = vocabulary.map(\.word).filter { !$0.contains(":") }.joined(separator: ", ")
        let sensors = BiometricModality.allCases.map(\.rawValue).joined(separator: ", ")
        return plain + ", bad-capture:HINT, sensor-error:ERROR, sample:STATUS, choose:N; match, match-inattentive, "
            + "no-match, spoof and bad-capture may name the sensor, as in match:face (\(sensors))"
    }()

    /// Reads a word; `choose:N` chooses the Nth account, counted from 1.
    ///
    /// `match:face` and `bad-capture:too-fast:fingerprint` name one of several sensors.
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

    private static func act(_ word: String) -> UserAct? {
        // bad-capture is short for bad-capture:partial.
        word == "bad-capture:partial" ? .gate(.badCapture(.partial)) : vocabulary.first { $0.word == word }?.act
    }

    /// The act's word; for an act without a word, such as a match of a certain finger, the gate's label.
    package var word: String {
        switch self {
        case .choose(let index): return "choose:\(index + 1)"
        case .gate(.sample(let sample, let modality?)):
            return UserAct.gate(.sample(sample)).word + ":" + modality.rawValue
        case .gate(let act): return Self.vocabulary.first { $0.act == self }?.word ?? act.label
        default: return Self.vocabulary.first { $0.act == self }?.word ?? "act"
        }
    }
}

extension UserAct {
    /// The sensor that the act names; nil for none.
    package var modality: BiometricModality? { if case .gate(let act) = self { act.modality } else { nil } }
}

extension UserAct: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let act = UserAct(word: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected one of \(Self.words)")
        }
        self = act
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}

extension AcquiredHint {
    var word: String { rawValue.hyphenated }
    fileprivate var words: String { rawValue.hyphenated.split(separator: "-").joined(separator: " ") }
}

extension SensorError {
    fileprivate var word: String { rawValue.hyphenated }

    fileprivate var meaning: String {
        switch self {
        case .unableToProcess: "it cannot process the sample"
        case .vendor: "a vendor-specific error"
        case .noSpace: "its storage is full"
        case .reEnrolRequired: "templates must be enrolled again"
        case .hardwareUnavailable: "it is unavailable"
        case .unknown: "an error unknown to the app"
        }
    }
}

extension EnrollSampleStatus {
    /// The word in commands and scenarios.
    var word: String { self == .noUserPresenceTransition ? "no-presence-transition" : "\(self)".hyphenated }

    fileprivate var meaning: String {
        switch self {
        case .good: "a good sample"
        case .mergeFailure: "a sample that does not fit the earlier ones"
        case .exists: "a sample of a finger that is already enrolled"
        case .noUserActivity: "no sample until the timeout"
        case .noUserPresenceTransition: "a sample without lifting the finger"
        default: word.split(separator: "-").joined(separator: " ")
        }
    }
}
