internal import Biometrics
internal import CTAP
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

/// Holds what was seen against what was expected.
struct ExpectationChecker {
    let observation: Observation
    let snapshot: AuthenticatorSnapshot?
    let device: SimulatedDevice?
    let vocabulary: PlatformErrorVocabulary?

    /// Everything that is not as expected; the outcome is looked at whether mentioned or not.
    func mismatches(_ expectation: Expectation) -> [Mismatch] {
        if let breakdown = observation.breakdown {
            // Whatever else there is to see says nothing about the step.
            return [Mismatch(line: nil, subject: "step", expected: "played to its end", seen: breakdown.description)]
        }
        let outcome = observation.succeeded ? "ok" : "refused"
        var mismatches: [Mismatch] = []
        if outcome != expectation.outcome {
            let line = expectation.checks.first { $0.subject == .outcome }?.line
            mismatches.append(
                Mismatch(
                    line: line, subject: "outcome", expected: expectation.outcome,
                    seen: outcome + (observation.cause.map { " (\($0))" } ?? "")))
        }
        for check in expectation.checks where check.subject != .outcome && obstacle(to: check) == nil {
            let seen = seen(check.subject)
            guard !matches(check, seen) else { continue }
            mismatches.append(
                Mismatch(
                    line: check.line, subject: check.subject.rawValue, expected: check.value,
                    seen: seen.isEmpty ? "nothing" : seen.joined(separator: "; ")))
        }
        return mismatches
    }

    /// What was not looked at, in words.
    func notes(_ expectation: Expectation) -> [String] {
        expectation.checks.compactMap { check in
            obstacle(to: check).map { "\(check.subject.rawValue) (line \(check.line)) was not looked at: \($0)" }
        }
    }

    private func obstacle(to check: Expectation.Check) -> String? {
        observation.overheard == nil ? nil : check.subject.obstacleOnRealDevice
    }

    private func matches(_ check: Expectation.Check, _ seen: [String]) -> Bool {
        switch check.subject {
        // A word of its own; nothing at all is no lockout of "none".
        case .lockout: return seen.contains(check.value)
        case _ where check.value == "none" && seen.isEmpty: return true
        case .told: return seen.contains { $0.contains(check.value) }
        default: return seen.contains(check.value)
        }
    }

    /// The values there are to compare with; any of them may be the expected one.
    private func seen(_ subject: Expectation.Subject) -> [String] {
        switch subject {
        case .outcome: [observation.succeeded ? "ok" : "refused"]
        case .page: text(observation.domException)
        case .status: text(observation.status.map { $0.name ?? $0.description })
        case .reason: text(observation.refusal?.reason.label)
        case .client: text(observation.clientReason)
        case .cause: text(observation.cause)
        case .http: text(observation.httpStatus)
        case .code: text(observation.code)
        case .ledger: observation.failedLedgerSteps
        case .told: observation.told(in: vocabulary)
        case .prompts: ["\(observation.prompts)"]
        case .touches: ["\(observation.touches)"]
        case .userVerified: text(observation.userVerified)
        case .signCount: text(observation.signCount)
        case .passkeys: text(observation.passkeys)
        case .lockout: text(snapshot?.lockout?.label)
        case .failures: text(snapshot?.gate?.consecutiveFailures)
        case .uvRetries: text(snapshot?.uvRetries)
        case .pinRetries: text(snapshot?.pinRetries)
        case .credentials: text(snapshot?.credentials.count)
        case .enrolled: snapshot?.gate?.sensors.flatMap(\.templates).map(\.name) ?? []
        case .backedUp: text(observation.backedUp)
        case .answer: text(observation.answer)
        case .items: device?.secureStorage.ids.map(\.description) ?? []
        case .screen: text(device.map { $0.lifeState.isLocked ? "locked" : "unlocked" })
        case .network: text(device.map { $0.lifeState.isOnline ? "online" : "offline" })
        case .app: apps
        }
    }

    /// The usual app's place by itself, every other one's with the app before it.
    private var apps: [String] {
        (device?.lifeState.apps ?? [:]).sorted { $0.key < $1.key }.map { name, state in
            name == SecretID.defaultApp ? state.label : "\(name) \(state.label)"
        }
    }

    private func text(_ value: (some Any)?) -> [String] {
        value.map { ["\($0)"] } ?? []
    }
}
