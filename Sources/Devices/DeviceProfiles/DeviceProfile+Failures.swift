package import Biometrics
internal import Causes
internal import PlatformErrors
internal import Wording

extension DeviceProfile {
    /// The result of each failed attempt in a row, in words, as the device's gate gives it; empty without a sensor.
    ///
    /// Failures in a row with the same result share a line.
    package var failures: [String] {
        guard sensor != nil, var gate else { return [] }
        var now = Duration.zero
        if gate.sensor?.templates.isEmpty == true {
            _ = try? gate.enrol(BiometricTemplate(id: [1], name: "owner"), at: now)
        }
        var stretches: [(first: Int, last: Int, text: String)] = []
        for failure in 1...GatePolicy.permanentLockoutRange.upperBound {
            if case .timed(let until) = gate.lockout(at: now) { now = until }
            if gate.stage == .paused { _ = gate.present(.tryAgain, at: now) }
            if gate.stage == .stopped { _ = gate.present(.giveUp, at: now) }
            if gate.stage == .deviceCredential { _ = gate.present(.cancelByUser, at: now) }
            if gate.stage == .idle {
                let prompt = gate.begin(PromptOptions(allowsDeviceCredential: true), at: now)
                guard case .sensing = prompt.step else { break }
            }
            let text = words(gate.present(.nonMatch, at: now), at: now)
            if let last = stretches.indices.last, stretches[last].text == text {
                stretches[last].last = failure
            } else {
                stretches.append((failure, failure, text))
            }
        }
        return stretches.map { first, last, text in
            let joint = last == first + 1 ? " and " : " to "
            return Wording.ordinal(first) + (first == last ? "" : joint + Wording.ordinal(last))
                + " failure in a row: " + text
        }
    }

    private func words(_ event: GateEvent, at now: Duration) -> String {
        let credential = deviceCredential?.word ?? "PIN"
        var parts: [String] = []
        var cause: Cause?
        switch event.step {
        case .stopped: parts.append("the prompt offers only the fallback")
        case .paused: parts.append("the prompt pauses with \"Try again\"")
        case .tryAgain(let fallbackOffered):
            parts.append("the prompt asks again" + (fallbackOffered ? " and offers the fallback" : ""))
        case .challengePhraseRequired: parts.append("the prompt asks for the challenge phrase")
        case .deviceCredentialRequired: parts.append("the prompt asks for the \(credential)")
        case .ended(let outcome):
            parts.append("the prompt ends")
            cause = outcome.cause
        case .sensing, .hint, .confirmationRequired, .refused, .ignored, .changed: parts.append(event.step.label)
        }
        switch event.lockoutAfter {
        case .timed(let until):
            parts.append("the sensor locks for \(Wording.span(until - now))")
            cause = .lockedOutTimed
        case .permanent, .exhausted:
            parts.append("the sensor locks until the \(credential) is entered")
            cause = .lockedOutPermanently
        case .none: break
        }
        let errors = cause.map { platformErrors.errors(of: $0, during: .token) } ?? []
        let kind: PlatformInterface.Kind = platform == .securityKey ? .protocol : .platform
        let error = errors.first { $0.kind == kind }.map { " (\($0.text))" } ?? ""
        return parts.joined(separator: ", ") + error
    }
}

extension DeviceCredential.Kind {
    /// The kind in prose.
    package var word: String { self == .pin ? "PIN" : rawValue }
}
