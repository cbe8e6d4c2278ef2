import Biometrics
internal import Causes
import DeviceProfiles
import PlatformErrors
import Wording

/// The outcome of failed attempts at a device, failure by failure, as its gate gives it.
enum VerificationStory {
    /// One line for each run of failures with the same outcome.
    static func lines(_ profile: DeviceProfile) -> [String] {
        guard profile.sensor != nil, var gate = profile.gate else { return [] }
        var now = Duration.zero
        if gate.sensor?.templates.isEmpty == true {
            _ = try? gate.enrol(BiometricTemplate(id: [1], name: "owner"), at: now)
        }
        var stretches: [(first: Int, last: Int, text: String)] = []
        for failure in 1...GatePolicy.permanentLockoutRange.upperBound {
            if case .timed(let until) = gate.lockout(at: now) { now = until }
            if gate.stage == .stopped { _ = gate.present(.giveUp, at: now) }
            if gate.stage == .deviceCredential { _ = gate.present(.cancelByUser, at: now) }
            if gate.stage == .idle {
                guard case .sensing = gate.begin(PromptOptions(allowsDeviceCredential: true), at: now).step else {
                    break
                }
            }
            let text = words(gate.present(.nonMatch, at: now), at: now, profile)
            if let last = stretches.indices.last, stretches[last].text == text {
                stretches[last].last = failure
            } else {
                stretches.append((failure, failure, text))
            }
        }
        return stretches.map { stretch in
            let (first, last) = (Wording.ordinal(stretch.first), Wording.ordinal(stretch.last))
            let isPair = stretch.last == stretch.first + 1
            let numbers = first == last ? first : "\(first) \(isPair ? "and" : "to") \(last)"
            return "\(numbers) failure in a row: \(stretch.text)"
        }
    }

    private static func words(_ event: GateEvent, at now: Duration, _ profile: DeviceProfile) -> String {
        let credential = profile.deviceCredential?.word ?? "PIN"
        var parts: [String] = []
        var cause: Cause?
        switch event.step {
        case .stopped: parts.append("the prompt offers its way out alone")
        case .tryAgain(let fallbackOffered):
            parts.append("the prompt asks again" + (fallbackOffered ? " and offers its way out" : ""))
        case .deviceCredentialRequired: parts.append("the prompt asks for the \(credential)")
        case .ended(let outcome):
            parts.append("the prompt ends")
            cause = outcome.cause
        default: parts.append(event.step.label)
        }
        switch event.lockoutAfter {
        case .timed(let until):
            parts.append("the sensor closes for \(Wording.span(until - now))")
            cause = .lockedOutTimed
        case .permanent, .exhausted:
            parts.append("the sensor closes until the \(credential) is entered")
            cause = .lockedOutPermanently
        case .none: break
        }
        let errors = cause.map { profile.platformErrors.errors(of: $0, during: .token) } ?? []
        let kind: PlatformInterface.Kind = profile.platform == .securityKey ? .protocol : .platform
        let error = errors.first { $0.kind == kind }.map { " (\($0.text))" } ?? ""
        return parts.joined(separator: ", ") + error
    }
}

extension DeviceCredential.Kind {
    /// The kind in prose.
    var word: String { self == .pin ? "PIN" : rawValue }
}
