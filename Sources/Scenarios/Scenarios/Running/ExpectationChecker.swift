internal import AppHost
internal import Biometrics
internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import Documents
internal import ForeignParties
internal import RelyingPartyServer
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient
internal import Wording

/// Compares the observations with the expectation.
struct ExpectationChecker {
    let observation: Observation
    /// The simulated device, and its state after the step.
    var device: SimulatedDevice?
    var snapshot: AuthenticatorSnapshot?
    var app: AppHost?
    /// The relying party's description; nil for Touchstone's own.
    var foreign: ForeignParty?
    /// Whether an expected refusal needs its reason.
    var isStrict = false

    /// Every difference from the expectation; the outcome is always compared.
    ///
    /// - Parameter checks: the stated expectations, as ``checks(_:)`` observed them.
    func mismatches(_ expectation: Expectation, _ checks: [CheckedExpectation]) -> [Mismatch] {
        if let error = observation.playbackError {
            // The other observations of an incomplete step mean nothing.
            return [Mismatch(line: nil, subject: "step", expected: nil, seen: error.description)]
        }
        var mismatches: [Mismatch] = []
        if observation.outcome != expectation.outcome {
            mismatches.append(
                Mismatch(
                    line: expectation.outcomeLine, subject: Expectation.Subject.outcome.name,
                    expected: expectation.outcome.rawValue, seen: outcomeWithReason))
        }
        mismatches += checks.filter { !$0.isMet && $0.subject != Expectation.Subject.outcome.name }.map {
            Mismatch(line: $0.line, subject: $0.subject, expected: $0.expected, seen: $0.seen)
        }
        if isStrict, let reason = uncheckedReason(expectation) {
            mismatches.append(
                Mismatch(
                    line: expectation.outcomeLine, subject: Expectation.Subject.cause.name,
                    expected: "a reason for the refusal (cause, status, told or another)", seen: reason))
        }
        if isStrict, !hasCheckedExpectation(expectation) {
            mismatches.append(
                Mismatch(
                    line: expectation.checks.first?.line, subject: "expect", expected: "an expectation that is checked",
                    seen: "none"))
        }
        return mismatches
    }

    /// Each stated expectation with its observed value; empty for a step that was not played to its end.
    func checks(_ expectation: Expectation) -> [CheckedExpectation] {
        guard observation.playbackError == nil else { return [] }
        var documents: [String: JSONValue] = [:]
        return expectation.checks.filter { obstacle(to: $0) == nil }.map { check in
            guard !check.isOutcome else {
                return CheckedExpectation(
                    line: check.line, subject: check.label, expected: check.value, seen: outcomeWithReason,
                    isMet: observation.outcome.rawValue == check.value)
            }
            if let reason = check.subject.reasonWhyAlwaysMet(check, on: device) {
                return CheckedExpectation(
                    line: check.line, subject: check.label, expected: check.words,
                    seen: "\(reason), so the expectation always holds", isMet: false)
            }
            let seen = check.observed(self, &documents)
            let shown = check.subject.shown(seen, besides: check.value)
            let isMet = check.subject.matches(check, seen)
            let owner = isMet ? nil : check.subject.owner(of: check.value)
            return CheckedExpectation(
                line: check.line, subject: check.label,
                expected: (owner.map { $0.title + " " } ?? "") + check.words,
                seen: shown.isEmpty ? "nothing" : shown.joined(separator: "; "), isMet: isMet)
        }
    }

    /// Whether a step that expects more than its success has an expectation that is checked.
    func hasCheckedExpectation(_ expectation: Expectation) -> Bool {
        guard expectation.looks else { return true }
        return Expectation(checks: expectation.checks.filter { obstacle(to: $0) == nil }).looks
    }

    private var outcomeWithReason: String {
        observation.outcome.rawValue + (observation.reason.map { " (\($0))" } ?? "")
    }

    /// The user's acts and PINs that no prompt asked for, and the differences of a step's interruptions.
    func mismatches(_ step: ScenarioStep, _ interruptions: InterruptionLog) -> [Mismatch] {
        var mismatches: [Mismatch] = []
        let record = observation.device
        if let seen = record.unusedWords(of: step.person) {
            mismatches.append(
                Mismatch(line: step.line, subject: "person", expected: "a prompt for every act", seen: seen))
        }
        if let seen = record.ignoredWords(besides: step.expectation.ignoredActs) {
            mismatches.append(
                Mismatch(line: step.line, subject: "person", expected: "an effect of every act", seen: seen))
        }
        if let reason = observation.step.idleness {
            mismatches.append(.withoutEffect(line: step.line, because: reason))
        }
        if record.unusedPINs > 0 {
            mismatches.append(
                Mismatch(
                    line: step.line, subject: "pin", expected: "a prompt for every PIN",
                    seen: "no prompt for \(Wording.counted(record.unusedPINs, "PIN"))"))
        }
        guard observation.device.missedInterruption else {
            return mismatches + interruptions.mismatches(step.interruptions, isStrict: isStrict)
        }
        return mismatches + [
            Mismatch(
                line: step.line, subject: "meanwhile", expected: "a prompt to interrupt",
                seen: "no prompt that the user left open")
        ]
    }

    func notes(on step: ScenarioStep) -> [String] {
        let expectation = step.expectation
        let unseen =
            hasCheckedExpectation(expectation)
            ? [] : step.requirements.map { "\($0) is not shown: no expectation was checked" }
        let unchecked = expectation.checks.compactMap { check in
            obstacle(to: check).map { "\(check.subject.name) (line \(check.line)) was not checked: \($0)" }
        }
        guard let reason = uncheckedReason(expectation) else { return unchecked + unseen }
        let line = expectation.outcomeLine.map { " (line \($0))" } ?? ""
        return unchecked + ["the reason of the refusal\(line) was not checked: \(reason)"]
    }

    /// The reason of an expected refusal for which any reason would do; nil for any other step.
    private func uncheckedReason(_ expectation: Expectation) -> String? {
        let isNamed = expectation.checks.contains { $0.namesReason && obstacle(to: $0) == nil }
        guard expectation.outcome == .refused, observation.outcome == .refused, !isNamed else { return nil }
        if let cause = observation.cause { return "\(Expectation.Subject.cause.name): \(cause)" }
        let reasons = Expectation.Subject.all.lazy.filter(\.namesReason).compactMap { subject in
            subject.observe(self).first.map { "\(subject.name): \($0)" }
        }
        // A named reason that cannot be checked is not met by the lack of another one.
        return reasons.first ?? (expectation.checks.contains(where: \.namesReason) ? "none is observed" : nil)
    }

    private func obstacle(to check: Expectation.Check) -> String? {
        if let foreign, let obstacle = check.subject.obstacle(at: foreign) { return obstacle }
        return observation.device.answers == nil ? nil : check.subject.obstacleOnRealDevice
    }
}
