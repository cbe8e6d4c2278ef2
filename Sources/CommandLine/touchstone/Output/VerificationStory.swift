import Biometrics
import DeviceProfiles
import PlatformErrors

/// What happens to a person whom a device does not recognise, failure by failure: found out by failing at its gate.
enum VerificationStory {
    /// One line for each stretch of failures that come to the same.
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
            let numbers =
                stretch.first == stretch.last
                ? ordinal(stretch.first)
                : "\(ordinal(stretch.first)) \(stretch.last == stretch.first + 1 ? "and" : "to") \(ordinal(stretch.last))"
            return "\(numbers) failure in a row: \(stretch.text)"
        }
    }

    private static func words(_ event: GateEvent, at now: Duration, _ profile: DeviceProfile) -> String {
        let credential = profile.deviceCredential?.word ?? "PIN"
        var parts: [String] = []
        var cause: String?
        switch event.step {
        case .stopped: parts.append("the prompt offers its way out alone")
        case .tryAgain(let fallbackOffered):
            parts.append("the prompt asks again" + (fallbackOffered ? " and offers its way out" : ""))
        case .deviceCredentialRequired: parts.append("the prompt asks for the \(credential)")
        case .ended(let outcome):
            parts.append("the prompt ends")
            cause = outcome.label
        default: parts.append(event.step.label)
        }
        switch event.lockoutAfter {
        case .timed(let until):
            parts.append("the sensor closes for \((until - now).formatted)")
            cause = "lockedOut.timed"
        case .permanent, .exhausted:
            parts.append("the sensor closes until the \(credential) is entered")
            cause = "lockedOut.permanent"
        case .none: break
        }
        let errors = cause.map { profile.platformErrors.errors(of: $0, during: .token) } ?? []
        let kind: PlatformInterface.Kind = profile.platform == .securityKey ? .protocol : .platform
        let error = errors.first { $0.kind == kind }.map { " (\($0.text))" } ?? ""
        return parts.joined(separator: ", ") + error
    }

    private static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }
}

extension DeviceCredential.Kind {
    /// As people write it.
    var word: String { self == .pin ? "PIN" : rawValue }
}

extension Duration {
    /// A span in words, such as `30 s`.
    fileprivate var formatted: String {
        let seconds = components.seconds
        return seconds >= 120 && seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }
}
