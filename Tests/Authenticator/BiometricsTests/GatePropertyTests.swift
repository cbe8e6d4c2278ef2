import Biometrics
import Foundation
import SampleGates
import TestSupport
import Testing

@Suite("Random inputs to a gate")
struct GatePropertyTests {
    /// How many random sequences each gate goes through, and of how many inputs.
    private static let sequences = Ring.isWhole ? 11_200 : 4_000
    private static let length = 12

    /// A gate.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let gate: UserVerificationGate
        let seed: UInt64

        /// The answers that must occur.
        var places: Set<String> {
            var places: Set = ["ended.verified.biometric", "refused.lockedOut.permanent", "ended.timedOut"]
            if gate.policy.confirmation != .never, gate.sensors.contains(where: { $0.modality.isPassive }) {
                places.insert("confirmationRequired")
            }
            if gate.policy.passiveSensorsPause, gate.sensors.allSatisfy(\.modality.isPassive) {
                places.insert("paused")
            }
            if gate.policy.attemptsPerPrompt != nil { places.insert("ended.attemptsExhausted") }
            if gate.policy.fallbackOfferedAfter != nil { places.insert("ended.fallbackChosen") }
            if gate.policy == .iOSFaceID { places.insert("stopped") }
            // Random inputs do not reach a TPM's limit.
            if let first = gate.policy.credentialLockout?.delays.first, first.failures < 10 {
                places.insert("ended.credentialLockedOut.timed")
            }
            if gate.policy.credentialLockout?.permanentErases == true { places.insert(Self.erasure) }
            return places
        }

        /// Not an answer, but the result of wrong entries where they erase.
        static let erasure = "erased"
    }

    static func cases() throws -> [Case] {
        let erasing = try CredentialLockoutPolicy(
            delays: [.init(failures: 3, delay: .seconds(60))], permanentAt: 5, permanentErases: true,
            powerCycleClears: true)
        let strict = try GatePolicy(
            attemptsPerPrompt: 4, fallbackOfferedAfter: 1,
            lockout: LockoutPolicy(timedAt: [2, 5], timedDuration: .seconds(20), permanentAt: 9),
            deviceCredentialFallback: true, credentialAttemptsPerPrompt: 2, badCaptureCounts: true,
            timeoutCounts: true, invalidationRule: .anyChange, confirmation: .required, requiresAttention: true,
            powerButton: .verifies,
            strongAuthentication: [
                StrongAuthenticationRule(classes: [.class1, .class2], sinceUnlock: .hours(4)),
                StrongAuthenticationRule(sinceCredential: .hours(20), sinceBiometric: .hours(1), failures: 2),
            ], credentialLockout: erasing, powerCycleClearsLockout: true)
        let three: [(BiometricModality, StrengthClass, LockoutPolicy?)] = [
            (.fingerprint, .class3, nil), (.face, .class2, .virtualFaceHAL), (.voice, .class1, .androidFace),
        ]
        return [
            Case(testDescription: "Face ID", gate: gate(.iOSFaceID, .face), seed: 1),
            Case(testDescription: "Touch ID", gate: gate(.iOSTouchID), seed: 2),
            Case(testDescription: "Android", gate: gate(.androidFingerprint), seed: 3),
            Case(
                testDescription: "Android with three sensors",
                gate: gate(.androidFingerprint.withDeviceCredentialFallback(true), sensors: three), seed: 4),
            Case(
                testDescription: "two equals",
                gate: gate(.androidFace, sensors: [(.fingerprint, .class3, nil), (.face, .class3, .apple)]), seed: 5),
            Case(testDescription: "Windows", gate: gate(.windowsHello, .face), seed: 6),
            Case(testDescription: "everything", gate: gate(strict, sensors: three), seed: 7),
            Case(testDescription: "a key", gate: gate(try .securityKeyFingerprint()), seed: 8),
            Case(
                testDescription: "a key with most retries",
                gate: gate(try .securityKeyFingerprint(maxUVRetries: 25, internalRetries: 3)), seed: 9),
        ]
    }

    /// Nine gates: 100,800 sequences and 1.2 million inputs in `make verify`.
    @Test(
        "its counts keep their limits, its locks hold, its log replays and its state survives",
        arguments: Ring.sample(try cases(), 4))
    func invariants(example: Case) throws {
        try check(example)
    }

    /// Plain comparisons, collected per sequence: one expectation per input would be too slow.
    private func check(_ example: Case) throws {
        var random = SeededGenerator(state: example.seed)
        var seen: Set<String> = []
        var last = example.gate
        var now = Duration.seconds(1_800_000_000)
        for sequence in 0..<Self.sequences {
            // Most continue the state of the sequence before, to reach states that need many inputs.
            var initial = sequence.isMultiple(of: 20) ? example.gate : last
            if sequence.isMultiple(of: 60) { _ = initial.removeDeviceCredential(at: now) }
            var gate = initial
            if sequence.isMultiple(of: 20) { now = .seconds(1_800_000_000) }
            var log: [GateEvent] = []
            var broken: [String] = []
            for step in 0..<Self.length {
                now += .milliseconds(Int.random(in: -200...2_000, using: &random))
                if Int.random(in: 0..<20, using: &random) == 0 {
                    let later = now + .seconds(Int.random(in: 29...20_000, using: &random))
                    broken += GateInvariants.violations(waiting: gate, from: now, to: later)
                    now = later
                }
                let before = gate
                let input = RandomInputs.next(&random)
                guard let event = try? gate.apply(input, at: now) else {
                    if gate != before { broken.append("an error changed the gate") }
                    continue
                }
                log.append(event)
                seen.insert(event.step.label)
                if event.erasesDevice { seen.insert(Case.erasure) }
                broken += GateInvariants.violations(event, before, gate)
                // At a random input the state is stored and restored.
                if step == Self.length / 2, sequence.isMultiple(of: 10) {
                    let stored = try JSONDecoder().decode(
                        UserVerificationGate.self, from: JSONEncoder().encode(gate))
                    if stored != gate { broken.append("storage changed the gate") }
                    gate = stored
                }
            }
            #expect(broken.isEmpty, "\(example.testDescription), sequence \(sequence)")
            let replayed = try initial.replay(log)
            #expect(replayed == gate)
            last = gate
        }
        // The random inputs must reach the interesting states.
        #expect(example.places.subtracting(seen).isEmpty)
    }
}
