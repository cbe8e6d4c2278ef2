import Biometrics
import Testing

/// SplitMix64: small, and the same sequence on every machine.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("Whatever is done to a gate")
struct GatePropertyTests {
    static let policies: [(GatePolicy, UInt64)] = [
        (.iOSFaceID, 1), (.iOSTouchID, 2), (.androidFingerprint, 3),
        (.androidFingerprint.withDeviceCredentialFallback(true), 4),
    ]

    @Test(
        "its counts keep their limits, its locks hold, and its log replays: 100,000 random steps", arguments: policies)
    func invariants(policy: GatePolicy, seed: UInt64) throws {
        try check(policy, seed: seed, sequences: 100, steps: 200)
    }

    @Test("the same for security keys", arguments: [1, 3, 25])
    func securityKeyInvariants(maxUVRetries: Int) throws {
        let policy = try GatePolicy.securityKeyFingerprint(maxUVRetries: maxUVRetries, internalRetries: 3)
        try check(policy, seed: UInt64(maxUVRetries), sequences: 34, steps: 200)
    }

    /// Plain comparisons, gathered per sequence: an expectation per step would take most of the time.
    private func check(_ policy: GatePolicy, seed: UInt64, sequences: Int, steps: Int) throws {
        var random = SeededGenerator(state: seed)
        var seen: Set<String> = []
        for _ in 0..<sequences {
            let initial = gate(policy, credential: Bool.random(using: &random) ? .pin : nil)
            var gate = initial
            var now = Duration.seconds(1_800_000_000)
            var log: [GateEvent] = []
            var broken: [String] = []
            for _ in 0..<steps {
                now += .milliseconds(Int.random(in: -200...2_000, using: &random))
                if Int.random(in: 0..<20, using: &random) == 0 {
                    let before = gate.lockout(at: now)
                    now += .seconds(Int.random(in: 29...100_000, using: &random))
                    if before == .permanent, gate.lockout(at: now) != .permanent { broken.append("time unlocked") }
                }
                guard let event = try? gate.apply(input(&random), at: now) else { continue }
                log.append(event)
                seen.insert(event.step.label)
                broken += violations(event, policy, gate)
            }
            #expect(broken.isEmpty)
            let replayed = try initial.replay(log)
            #expect(replayed == gate)
        }
        // Random steps that never reached the interesting places would prove nothing.
        #expect(seen.isSuperset(of: ["ended.verified.biometric", "refused.lockedOut.permanent", "ended.timedOut"]))
    }

    private func violations(_ event: GateEvent, _ policy: GatePolicy, _ gate: UserVerificationGate) -> [String] {
        var broken: [String] = []
        let limit = policy.permanentLockoutAt ?? .max
        if !(0...limit).contains(event.failuresAfter) { broken.append("count out of range") }
        if !(0...limit).contains(gate.attemptsRemaining(at: event.at)) {
            broken.append("attempts out of range")
        }
        if let sensor = gate.sensor, sensor.templates.count > sensor.maxTemplates { broken.append("store overfull") }
        if case .ended(.verified(method: .biometric)) = event.step {
            if event.lockoutBefore != .none { broken.append("a locked sensor verified") }
            if event.stageBefore != .sensing { broken.append("verified without sensing") }
            if gate.sensor?.availability != .present { broken.append("an unusable sensor verified") }
        }
        if event.failuresAfter == limit, event.lockoutAfter == .none {
            broken.append("open at the limit")
        }
        switch event.input {
        case .present(.nonMatch), .present(.spoof):
            if event.failuresAfter < event.failuresBefore { broken.append("a mismatch lowered the count") }
            if event.lockoutBefore != .none, event.lockoutAfter != event.lockoutBefore {
                broken.append("a mismatch changed a lockout")
            }
        default: break
        }
        if event.lockoutBefore == .permanent || event.lockoutBefore == .exhausted, event.lockoutAfter == .none {
            switch event.input {
            case .refill, .enterDeviceCredential(correct: true), .present(.passcode(correct: true)): break
            default: broken.append("\(event.input.label) opened a closed sensor")
            }
        }
        if event.stageAfter == .idle, event.stageBefore != .idle {
            switch event.step {
            case .ended, .refused: break
            default: broken.append("a prompt ended without saying so")
            }
        }
        return broken
    }

    private func input(_ random: inout SeededGenerator) -> GateInput {
        let template = BiometricTemplate(id: [UInt8.random(in: 1...7, using: &random)], name: "")
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: return .begin(PromptOptions(allowsDeviceCredential: flag))
        case 30..<60: return .present(flag ? .nonMatch : .spoof)
        case 60..<66: return .present(.match(templateID: flag ? nil : template.id))
        case 66..<70: return .present(.badCapture(.partial))
        case 70..<76: return .present(.passcode(correct: flag))
        case 76..<78: return .present(.fallback)
        case 78: return .present(.cancelByUser)
        case 79: return .present(.cancelBySystem)
        case 80: return .present(.cancelByApp)
        case 81: return .present(.noAnswer)
        case 82..<85: return .enrol(template)
        case 85: return .removeTemplate(id: template.id)
        case 86: return .replace(templateID: template.id, with: BiometricTemplate(id: [8], name: ""))
        case 87: return .rename(templateID: template.id, to: "renamed")
        case 88: return flag ? .removeAllTemplates : .refill
        case 89: return .setAvailability(SensorAvailability.allCases.randomElement(using: &random) ?? .present)
        case 90..<95: return .setAvailability(.present)
        case 95: return flag ? .removeDeviceCredential : .setDeviceCredential(.pin)
        case 96: return .setDeviceCredential(.passcode)
        case 97: return .enterDeviceCredential(correct: flag)
        case 98: return flag ? .exhaust : .refill
        default: return .enterDeviceCredential(correct: false)
        }
    }
}
