import Biometrics
import SampleGates
import Testing

/// Windows Hello's rules, from UserConsentVerificationResult and Windows' documentation of Hello and the TPM.
///
/// How the TPM counts PINs is general knowledge.
@Suite("Windows' rules")
struct WindowsRulesTests {
    static let hello = gate(.windowsHello, .face, credential: .pin)

    static let stories: [GateStory] = [
        GateStory(
            "ten attempts, over requests, then RetriesExhausted until the PIN", hello, failing(4), failing(5),
            failing(1, "ended.lockedOut.permanent"), prompt("refused.lockedOut.permanent", at: .hours(9_000)),
            unlock(at: .hours(9_000)), prompt("sensing", at: .hours(9_000))),
        GateStory(
            "the PIN is always behind the sensor", hello, prompt("sensing", credential: true),
            act(.fallback, "deviceCredentialRequired"),
            act(.passcode(correct: true), "ended.verified.deviceCredential"), prompt("sensing", credential: true),
            mismatches(10, "deviceCredentialRequired"),
            act(.passcode(correct: true), "ended.verified.deviceCredential")),
        GateStory(
            "the results of UserConsentVerifier", hello,
            [
                (.absent, "sensorAbsent"), (.busy, "sensorBusy"), (.disabledByPolicy, "disabledByPolicy"),
            ].flatMap { (availability: SensorAvailability, label: String) in
                on(.setAvailability(availability), "changed") + prompt("refused.\(label)")
            }, on(.setAvailability(.present), "changed"), prompt("sensing"),
            act(.cancelByUser, "ended.userCancelled"), on(.removeAllTemplates, "changed"),
            prompt("refused.notEnrolled")),
        GateStory(
            "a face is not confirmed", hello, prompt("sensing"), act(.match(), "ended.verified.biometric")),
        GateStory(
            "the TPM's hammering protection outlives a restart", hello,
            (1...31).flatMap { _ in unlock("ended.wrongCredential", correct: false) },
            unlock("ended.credentialLockedOut.timed", correct: false), on(.powerCycle, "changed"),
            unlock("refused.credentialLockedOut.timed", at: .minutes(10) - .tick),
            unlock("ended.credentialLockedOut.timed", correct: false, at: .minutes(10)),
            unlock("refused.credentialLockedOut.timed", at: .minutes(20) - .tick), unlock(at: .minutes(20)),
            unlock("ended.wrongCredential", correct: false, at: .minutes(20))),
    ]

    @Test("hold, each in one story", arguments: stories)
    func rule(story: GateStory) throws {
        try story.play()
    }

    @Test("a restart neither opens the sensor nor asks for the PIN")
    func restart() {
        var computer = Self.hello
        computer.fail(times: 10, at: .zero)
        #expect(computer.powerCycle(at: .zero).lockoutAfter == .permanent)
        #expect(computer.requiredCredential == nil)
    }
}
