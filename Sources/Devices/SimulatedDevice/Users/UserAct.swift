package import Biometrics
package import CTAP

/// An act of the user at a device.
package enum UserAct: Hashable, Sendable {
    /// Touches the device; at a fingerprint sensor, with an enrolled finger.
    case touch
    /// Acts at the sensor or the passcode field; at a touch prompt, a match is a touch and a cancel declines.
    case gate(GateAct)
    /// Chooses the account at this index.
    case choose(Int)
    /// Touches the device too briefly for a long touch.
    case touchBriefly
    /// Gives a sample for an enrolment.
    case sample(EnrollSampleStatus)

    var gateAct: GateAct? { if case .gate(let act) = self { act } else { nil } }

    /// Whether the act can be done at a question; another one waits for a question that it answers.
    func suits(_ question: PromptQuestion) -> Bool {
        switch (self, question) {
        case (_, .account), (.choose, _): question.admits(self)
        case (.touch, .verification), (.touchBriefly, .verification): question.admits(self)
        case (.sample, _): question == .sample
        case (.touch, _), (.touchBriefly, _), (.gate, _): true
        }
    }
}

extension GateAct {
    /// Whether the act is a match at any sensor.
    var isMatch: Bool { if case .match? = sample { true } else { false } }

    var isFailure: Bool { self == .nonMatch || self == .passcode(correct: false) }
}
