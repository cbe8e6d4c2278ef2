import Biometrics
import SampleGates
import Testing

/// The rules of CTAP 2.3 §6.5 for built-in user verification that the gate decides.
@Suite("CTAP's rules")
struct CTAPRulesTests {
    static func key(_ maximum: Int, internal retries: Int = 1, clears: Bool = false) throws -> UserVerificationGate {
        gate(
            try GatePolicy(
                attemptsPerPrompt: retries, lockout: LockoutPolicy(permanentAt: maximum), timeoutCounts: true,
                invalidationRule: .never, powerCycleClearsLockout: clears), credential: nil)
    }

    static func stories() throws -> [GateSequence] {
        [
            GateSequence(
                "0 retries are an error before anything is sensed", try key(1), failing(1, "ended.lockedOut.permanent"),
                prompt("refused.lockedOut.permanent"), on(.refill, "changed"), prompt("sensing")),
            GateSequence(
                "a mismatch repeats until the attempts are used up", try key(5, internal: 3), prompt("sensing"),
                mismatches(3, "ended.attemptsExhausted")),
            GateSequence(
                "a prompt ends when the retry counter is 0", try key(5, internal: 3),
                failing(3, "ended.attemptsExhausted"),
                failing(2, "ended.lockedOut.permanent")),
            GateSequence(
                "a timeout ends at once", try key(5, internal: 3), prompt("sensing"),
                act(.noAnswer, "ended.timedOut", at: .seconds(30))),
            GateSequence(
                "a cancelled command, and one declined", try key(5), prompt("sensing"),
                act(.cancelByApp, "ended.appCancelled"), prompt("sensing"), act(.cancelByUser, "ended.userCancelled")),
            GateSequence(
                "no template enrolled", gate(try .securityKeyFingerprint(), templates: [], credential: nil),
                prompt("refused.notEnrolled"), prompt("refused.notEnrolled", credential: true)),
            GateSequence(
                "with pinRetries at 0 nothing is sensed any more", try key(5), on(.exhaust, "changed"),
                prompt("refused.lockedOut.permanent"), on(.refill, "changed"), prompt("sensing")),
            GateSequence(
                "time and a power cycle do not restore retries", try key(3),
                (1...2).flatMap { _ in failing(1, "ended.attemptsExhausted") },
                failing(1, "ended.lockedOut.permanent"), on(.powerCycle, "changed", at: .hours(9_000)),
                prompt("refused.lockedOut.permanent", at: .hours(9_000))),
            GateSequence(
                "a power cycle restores the retries if the manufacturer configures it", try key(1, clears: true),
                failing(1, "ended.lockedOut.permanent"), on(.powerCycle, "changed"), prompt("sensing")),
        ]
    }

    @Test("each rule holds in its sequence")
    func rules() throws {
        for story in try Self.stories() { try story.play() }
    }

    struct Charge: Sendable, CustomTestStringConvertible {
        let act: GateAct
        let left: Int
        var testDescription: String { act.label }
    }

    @Test(
        "each compared sample and each timeout costs one retry; a match restores all",
        arguments: [
            Charge(act: .nonMatch, left: 2), Charge(act: .spoof, left: 2), Charge(act: .noAnswer, left: 2),
            Charge(act: .match(), left: 5), Charge(act: .match(templateID: [99]), left: 2),
            Charge(act: .badCapture(.tooFast), left: 3), Charge(act: .cancelByUser, left: 3),
            Charge(act: .cancelByApp, left: 3), Charge(act: .sensorError(.vendor), left: 3),
        ])
    func charges(charge: Charge) throws {
        var key = try Self.key(5)
        key.fail(times: 2, at: .zero)
        #expect(key.attemptsRemaining(at: .zero) == 3)
        _ = key.begin(biometricOnly, at: .zero)
        _ = key.present(charge.act, at: .zero)
        #expect(key.attemptsRemaining(at: .zero) == charge.left)
    }

    @Test("the maximum of uvRetries lies between 1 and 25; a policy without one reports 25", arguments: [1, 3, 8, 25])
    func maximum(limit: Int) throws {
        #expect(try Self.key(limit).attemptsRemaining(at: .zero) == limit)
        let endless = gate(try GatePolicy(lockout: LockoutPolicy(permanentAt: nil), invalidationRule: .never))
        #expect(endless.attemptsRemaining(at: .zero) == 25)
    }

    @Test("prompts sense without a limit where the policy sets none")
    func endless() throws {
        var gate = gate(try GatePolicy(lockout: LockoutPolicy(permanentAt: nil), invalidationRule: .never))
        _ = gate.begin(biometricOnly, at: .zero)
        for _ in 1...1_000 { #expect(gate.present(.nonMatch, at: .zero).step == .tryAgain(fallbackOffered: false)) }
        #expect(gate.consecutiveFailures == 1_000)
        #expect(gate.lockout(at: .zero) == .none)
    }
}
