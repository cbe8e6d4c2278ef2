import Biometrics
import SampleGates
import Testing

/// Windows Hello's rules, from UserConsentVerificationResult, and from Microsoft's TPM fundamentals and Hello FAQ.
@Suite("Windows' rules")
struct WindowsRulesTests {
    static let hello = gate(.windowsHello, .face, credential: .pin)

    static func wrongPINs(_ count: Int) -> [GateSequence.Move] {
        (1...count).flatMap {
            unlock($0 == 4 ? "ended.credentialNeedsRestart" : "ended.wrongCredential", correct: false)
        }
    }

    static func wrongPINsAndRestart(_ count: Int) -> [GateSequence.Move] {
        wrongPINs(count) + on(.powerCycle, "changed")
    }

    static let stories: [GateSequence] = [
        GateSequence(
            "ten attempts, over requests, then RetriesExhausted until the PIN", hello, failing(4), failing(5),
            failing(1, "ended.lockedOut.permanent"), prompt("refused.lockedOut.permanent", at: .hours(9_000)),
            unlock(at: .hours(9_000)), prompt("sensing", at: .hours(9_000))),
        GateSequence(
            "the PIN is always a fallback", hello, prompt("sensing", credential: true),
            act(.fallback, "deviceCredentialRequired"),
            act(.passcode(correct: true), "ended.verified.deviceCredential"), prompt("sensing", credential: true),
            mismatches(10, "deviceCredentialRequired"),
            act(.passcode(correct: true), "ended.verified.deviceCredential")),
        GateSequence(
            "the results of UserConsentVerifier", hello,
            [
                (.absent, "sensorAbsent"), (.busy, "sensorBusy"), (.disabledByPolicy, "disabledByPolicy"),
            ].flatMap { (availability: SensorAvailability, label: String) in
                on(.setAvailability(availability), "changed") + prompt("refused.\(label)")
            }, on(.setAvailability(.present), "changed"), prompt("sensing"),
            act(.cancelByUser, "ended.userCancelled"), on(.removeAllTemplates, "changed"),
            prompt("refused.notEnrolled")),
        GateSequence(
            "a face is not confirmed", hello, prompt("sensing"), act(.match(), "ended.verified.biometric")),
        GateSequence(
            "after three wrong PINs a prompt asks for the challenge phrase, after the fourth for a restart", hello,
            prompt("sensing", credential: true), act(.fallback, "deviceCredentialRequired"),
            (1...2).flatMap { _ in act(.passcode(correct: false), "tryAgain") },
            act(.passcode(correct: false), "challengePhraseRequired"), act(.passcode(correct: true), "ignored"),
            act(.challengePhrase, "deviceCredentialRequired"),
            act(.passcode(correct: false), "ended.credentialNeedsRestart"),
            unlock("refused.credentialNeedsRestart", at: .hours(9)), on(.powerCycle, "changed", at: .hours(9)),
            unlock(at: .hours(9))),
        GateSequence(
            "a correct PIN after the challenge phrase clears the failures", hello,
            (1...3).flatMap { _ in unlock("ended.wrongCredential", correct: false) },
            prompt("sensing", credential: true), act(.fallback, "challengePhraseRequired"),
            act(.challengePhrase, "deviceCredentialRequired"),
            act(.passcode(correct: true), "ended.verified.deviceCredential"), prompt("sensing", credential: true),
            act(.fallback, "deviceCredentialRequired")),
        GateSequence(
            "the TPM's 32 failures outlive restarts, and ten minutes of operation without a failure forgive one", hello,
            (1...7).flatMap { _ in wrongPINsAndRestart(4) }, wrongPINs(3),
            unlock("ended.credentialLockedOut.timed", correct: false), on(.powerCycle, "changed"),
            unlock("refused.credentialLockedOut.timed", at: .minutes(10) - .tick),
            unlock("ended.credentialLockedOut.timed", correct: false, at: .minutes(10)),
            unlock("refused.credentialLockedOut.timed", at: .minutes(20) - .tick), unlock(at: .minutes(20)),
            unlock("ended.wrongCredential", correct: false, at: .minutes(20))),
        GateSequence(
            "a restart begins the ten minutes again", hello, (1...7).flatMap { _ in wrongPINsAndRestart(4) },
            wrongPINs(3), unlock("ended.credentialLockedOut.timed", correct: false),
            on(.powerCycle, "changed", at: .minutes(9)),
            unlock("refused.credentialLockedOut.timed", at: .minutes(19) - .tick), unlock(at: .minutes(19))),
    ]

    @Test("each rule holds in its sequence", arguments: stories)
    func rule(story: GateSequence) throws {
        try story.play()
    }

    @Test("a restart neither unlocks the sensor nor requires the PIN")
    func restart() {
        var computer = Self.hello
        computer.fail(times: 10, at: .zero)
        #expect(computer.powerCycle(at: .zero).lockoutAfter == .permanent)
        #expect(computer.requiredCredential == nil)
    }
}
