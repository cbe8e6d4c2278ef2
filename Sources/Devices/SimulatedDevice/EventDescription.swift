internal import Biometrics
internal import CTAP
package import Causes
package import PlatformErrors
package import VirtualAuthenticator
internal import Wording

/// An event as text and as JSON: an outcome carries its cause and its platform errors, so that tests can assert on the
/// cause instead of the one exception a page is shown.
package struct EventDescription: Hashable, Sendable, Codable {
    /// Seconds since the Unix epoch, on the device's clock.
    package let at: Double
    /// The kind of event: `request`, `answer`, `presence`, `gate`, `pin`, `counter`, `credential`, `enrolment`, `config`,
    /// `fault`, `power`, `reset`, `u2f`, `device`.
    package let kind: String
    /// The event in one line.
    package let text: String
    /// The CTAP status of an answer, as a number.
    package let status: Int?
    /// The reason label of a refusal.
    package let reason: String?
    /// The clause that requires the refusal.
    package let clause: String?
    package let cause: Cause?
    /// Whether something succeeded or failed; nil for an event that is neither, such as a request.
    package let result: EventResult?
    /// The word of the user's act, one of ``UserAct/vocabulary``; nil for other events and for an act without effect.
    package let act: String?
    /// The user's act that the prompt ignored; nil for other events.
    package let ignored: IgnoredAct?
    /// The sensor's hint about a sample that it could not compare, such as `tooFast`.
    package let hint: String?
    /// The outcome's error at each interface of the platform; nil when no interface reports it.
    package let platformErrors: [PlatformError]?

    private enum CodingKeys: String, CodingKey {
        case at, kind, text, status, reason, clause, cause, result, act, ignored, hint
        case platformErrors = "faces"
    }

    /// Describes an event; without the device's vocabulary ``platformErrors`` is nil.
    package init(_ event: AuthenticatorEvent, in vocabulary: PlatformErrorVocabulary? = nil) {
        let outcome = EventOutcome(event)
        cause = outcome?.cause
        let errors = vocabulary.flatMap { outcome?.errors(in: $0) } ?? []
        platformErrors = errors.isEmpty ? nil : errors
        at = event.at / .seconds(1)
        result = EventResult(event.kind)
        act = UserAct(taken: event.kind)?.word
        ignored = IgnoredAct(event.kind)
        if case .gate(let gate) = event.kind, case .hint(let seen) = gate.step {
            hint = seen.rawValue
        } else {
            hint = nil
        }
        var status: Int?
        var refusal: Refusal?
        switch event.kind {
        case .request(let command):
            kind = "request"
            text = "→ \(command)"
        case .answer(let command, let answered, let why):
            kind = "answer"
            status = Int(answered.rawValue)
            refusal = why
            text =
                "← \(command): \(answered)"
                + (why.map { ", \($0.reason.label) (\($0.reason.clause))" } ?? "")
        case .u2f(let instruction, let status):
            kind = "u2f"
            text = "U2F \(instruction.map { "\($0)" } ?? "message"): \(status)"
        case .presenceAsked(let prompt):
            kind = "presence"
            text = "asks for a touch" + (prompt.relyingPartyID.map { " for \($0)" } ?? "")
        case .presenceAnswered(let answer):
            kind = "presence"
            text = "touch: \(answer.rawValue)"
        case .gate(let event):
            kind = "gate"
            text = Self.words(event)
        case .pinChecked(let matched, let retriesLeft):
            kind = "pin"
            text =
                "PIN \(matched ? "matches" : "does not match"), \(Wording.counted(retriesLeft, "retry", "retries")) left"
        case .counter(let value):
            kind = "counter"
            text = "signature counter is \(value)"
        case .credentialCreated(let relyingPartyID, let discoverable):
            kind = "credential"
            text = "makes a \(discoverable ? "discoverable " : "")credential for \(relyingPartyID)"
        case .credentialUsed(let relyingPartyID, let userVerified):
            kind = "credential"
            text = "signs for \(relyingPartyID), user \(userVerified ? "verified" : "not verified")"
        case .enrolmentSample(let status):
            kind = "enrolment"
            text = "sample while enrolling: \(status.word)"
        case .vendorPrototype(let id):
            kind = "config"
            text = "vendor prototype command \(id)"
        case .faultApplied(let name):
            kind = "fault"
            text = "fault \(name)"
        case .powerCycled:
            kind = "power"
            text = "power cycled"
        case .wasReset:
            kind = "reset"
            text = "authenticator reset"
        case .device(let event):
            kind = "device"
            text = event.text + ((event.explanation ?? event.cause?.rawValue).map { ": \($0)" } ?? "")
        }
        self.status = status
        reason = refusal?.reason.label
        clause = refusal?.reason.clause
    }

    private static func words(_ event: GateEvent) -> String {
        var text = GateWords.input(event) + GateWords.step(event)
        if event.failuresAfter > event.failuresBefore {
            text += "; failure \(event.failuresAfter) in a row"
        } else if event.failuresAfter < event.failuresBefore {
            text += "; the count of failures is reset"
        }
        if event.lockoutAfter.label != event.lockoutBefore.label {
            text +=
                event.lockoutAfter == .none ? "; the sensor is unlocked" : "; lockout: \(event.lockoutAfter.label)"
        }
        return text
    }
}
