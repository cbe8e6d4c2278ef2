internal import Biometrics
internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import Harness
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient
internal import Wording

/// Compares what was observed with what was expected.
struct ExpectationChecker {
    let observation: Observation
    /// The simulated device, and its state after the step.
    var device: SimulatedDevice?
    var snapshot: AuthenticatorSnapshot?

    /// Every difference from the expectation; the outcome is always compared.
    func mismatches(_ expectation: Expectation) -> [Mismatch] {
        if let error = observation.playbackError {
            // The other observations of an incomplete step mean nothing.
            return [Mismatch(line: nil, subject: "step", expected: "played to its end", seen: error.description)]
        }
        let outcome = observation.succeeded ? "ok" : "refused"
        var mismatches: [Mismatch] = []
        if outcome != expectation.outcome {
            let line = expectation.checks.first { $0.subject == .outcome }?.line
            mismatches.append(
                Mismatch(
                    line: line, subject: "outcome", expected: expectation.outcome,
                    seen: outcome + (observation.reason.map { " (\($0))" } ?? "")))
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

    /// The user's acts that no prompt asked for, and the differences of a step's interruptions.
    func mismatches(_ step: ScenarioStep, _ interruptions: InterruptionLog) -> [Mismatch] {
        var mismatches: [Mismatch] = []
        if observation.device.unusedActs > 0 {
            mismatches.append(
                Mismatch(
                    line: step.line, subject: "person", expected: "a prompt for every act",
                    seen: "no prompt for \(Wording.counted(observation.device.unusedActs, "act"))"))
        }
        guard observation.device.missedInterruption else {
            return mismatches + interruptions.mismatches(step.interruptions)
        }
        return mismatches + [
            Mismatch(
                line: step.line, subject: "meanwhile", expected: "a prompt to interrupt",
                seen: "no prompt that the user left open")
        ]
    }

    /// A note for each expectation that was not checked.
    func notes(_ expectation: Expectation) -> [String] {
        expectation.checks.compactMap { check in
            obstacle(to: check).map { "\(check.subject.rawValue) (line \(check.line)) was not checked: \($0)" }
        }
    }

    private func obstacle(to check: Expectation.Check) -> String? {
        observation.device.answers == nil ? nil : check.subject.obstacleOnRealDevice
    }

    private func matches(_ check: Expectation.Check, _ seen: [String]) -> Bool {
        switch check.subject {
        // A device without a lockout differs from one whose lockout is "none".
        case .lockout: return seen.contains(check.value)
        case _ where check.value == "none" && seen.isEmpty: return true
        case .told: return seen.contains { $0.contains(check.value) }
        default: return seen.contains(check.value)
        }
    }

    /// The values seen, any of which may be the expected one.
    private func seen(_ subject: Expectation.Subject) -> [String] {
        switch subject {
        case .outcome: [observation.succeeded ? "ok" : "refused"]
        case .page: text(observation.step.clientError?.domException.rawValue)
        case .status: text(observation.status.map { $0.name ?? $0.description })
        case .reason: text(observation.refusal?.reason.label)
        case .client: text(observation.step.clientError?.reason.label)
        case .cause: [observation.cause?.rawValue, observation.step.explanation].compactMap(\.self)
        case .http: text(observation.exchanges.last?.status)
        case .code: text(observation.exchanges.last { !$0.isSuccess }?.problem?.code)
        case .ledger: observation.exchanges.flatMap(\.failedSteps)
        case .told: observation.told(in: device?.profile.platformErrors)
        case .prompts: ["\(observation.prompts)"]
        case .touches: ["\(observation.touches)"]
        case .userVerified: text(flags?.contains(.userVerified))
        case .signCount: text(observation.step.authenticatorData?.signCount)
        case .passkeys: text(observation.step.passkeys)
        case .lockout: text(snapshot?.lockout?.label)
        case .failures: text(snapshot?.gate?.consecutiveFailures)
        case .uvRetries: text(snapshot?.uvRetries)
        case .pinRetries: text(snapshot?.pinRetries)
        case .credentials: text(snapshot?.credentials.count)
        case .enrolled: snapshot?.gate?.sensors.flatMap(\.templates).map(\.name) ?? []
        case .backedUp: text(flags?.contains(.backupState))
        case .answer: text(observation.step.answer)
        case .items: device?.secureStorage.ids.map(\.description) ?? []
        case .screen: text(device.map { $0.lifeState.isLocked ? "locked" : "unlocked" })
        case .network: text(device.map { $0.lifeState.isOnline ? "online" : "offline" })
        case .app: apps
        }
    }

    private var flags: AuthenticatorDataFlags? { observation.step.authenticatorData?.flags }

    /// The default app's state alone, every other app's with its name before it.
    private var apps: [String] {
        (device?.lifeState.apps ?? [:]).sorted { $0.key < $1.key }.map { name, state in
            name == SecretID.defaultApp ? state.label : "\(name) \(state.label)"
        }
    }

    private func text(_ value: (some Any)?) -> [String] {
        value.map { ["\($0)"] } ?? []
    }
}
