internal import Biometrics
internal import CTAP
package import VirtualAuthenticator

/// The result of an event, for readers who see it at a glance.
package enum EventResult: String, Hashable, Sendable, Codable, CaseIterable {
    case success, failure

    /// - Returns: nil for an event that is neither.
    init?(_ kind: AuthenticatorEvent.Kind) {
        guard let succeeded = Self.succeeded(kind) else { return nil }
        self = succeeded ? .success : .failure
    }

    private static func succeeded(_ kind: AuthenticatorEvent.Kind) -> Bool? {
        switch kind {
        case .answer(_, let status, _): return status == .ok
        case .presenceAnswered(let answer): return answer == .confirmed
        case .gate(let gate): return outcome(of: gate)
        case .pinChecked(let matched, _): return matched
        case .enrolmentSample(let status): return status == .good
        case .credentialCreated, .credentialUsed: return true
        case .device(let event): return event.cause == nil ? nil : false
        case .request, .u2f, .presenceAsked, .counter, .vendorPrototype, .faultApplied, .powerCycled, .wasReset:
            return nil
        }
    }

    private static func outcome(of gate: GateEvent) -> Bool? {
        switch gate.step {
        case .ended(.verified): return true
        case .ended(.failed), .refused, .tryAgain, .paused, .stopped: return false
        // A wrong sample or passcode after which the prompt asks for something else.
        case .deviceCredentialRequired, .challengePhraseRequired, .changed, .hint, .sensing, .confirmationRequired:
            return gate.counted ? false : nil
        case .ignored: return nil
        }
    }
}

extension UserAct {
    /// The act that an event is the effect of; nil for other events, and for an act without effect.
    init?(taken kind: AuthenticatorEvent.Kind) {
        switch kind {
        case .gate(let gate):
            guard case .present(let act) = gate.input, gate.step != .ignored else { return nil }
            self = .gate(act)
        case .presenceAnswered(.confirmed): self = .touch
        case .presenceAnswered(.tooShort): self = .touchBriefly
        case .presenceAnswered(.declined): self = .gate(.cancelByUser)
        case .presenceAnswered(.noAnswer): self = .gate(.noAnswer)
        case .enrolmentSample(let status): self = .sample(status)
        default: return nil
        }
    }
}

/// An act of the user that a prompt ignored.
package struct IgnoredAct: Hashable, Sendable, Codable {
    /// The act's word, one of ``UserAct/vocabulary``, without the sensor; for a PIN its place, such as `PIN 2`.
    package let act: String
    /// The reason why it had no effect, such as what the prompt asked for instead.
    package let reason: String

    /// An answer to a prompt that did not come.
    init(idle act: UserAct) {
        self.act = act.word
        reason = Self.noPrompt
    }

    /// A PIN that the device did not ask for.
    ///
    /// - Parameter idlePIN: its place among the PINs of the ceremony, from 1.
    package init(idlePIN number: Int) {
        act = "PIN \(number)"
        reason = Self.noPrompt
    }

    private static let noPrompt = "no prompt asked for it"

    /// - Returns: nil for another event.
    package init?(_ kind: AuthenticatorEvent.Kind) {
        guard case .gate(let gate) = kind, case .present(let act) = gate.input, gate.step == .ignored else {
            return nil
        }
        self.act = UserAct.gate(act.sample.map { .sample($0) } ?? act).word
        reason = GateWords.question(gate.stageBefore)
    }
}
