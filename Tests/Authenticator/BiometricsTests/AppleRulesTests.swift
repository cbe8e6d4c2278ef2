import Biometrics
import SampleGates
import Testing

/// The rules of LocalAuthentication's documentation (LAPolicy, LAError, LAEnvironment, access control flags) and of
/// Apple Platform Security, "Touch ID, Face ID, passcodes".
///
/// The passcode's delays are not confirmed by a public source.
@Suite("Apple's rules")
struct AppleRulesTests {
    static let touchID = gate(.iOSTouchID)
    static let faceID = gate(.iOSFaceID, .face)

    static let evaluations: [GateSequence] = [
        GateSequence(
            "Touch ID: one evaluation fails after three, with a fallback from the first", touchID,
            prompt("sensing"), act(.fallback, "ignored"), act(.nonMatch, "tryAgain"), act(.nonMatch, "tryAgain"),
            act(.nonMatch, "ended.attemptsExhausted"), prompt("sensing"), act(.nonMatch, "tryAgain"),
            act(.fallback, "ended.fallbackChosen")),
        GateSequence(
            "Face ID: one evaluation stops after two, and goes on to the passcode", faceID,
            prompt("sensing", credential: true), act(.nonMatch, "tryAgain"), act(.fallback, "ignored"),
            act(.nonMatch, "deviceCredentialRequired"), act(.passcode(correct: true), "ended.verified.deviceCredential")
        ),
        GateSequence(
            "Face ID: the fallback button comes with the second failure, after which nothing is sensed", faceID,
            prompt("sensing"), act(.nonMatch, "tryAgain"), act(.fallback, "ignored"), act(.nonMatch, "stopped"),
            act(.match(), "ignored"), act(.fallback, "ended.fallbackChosen"), prompt("sensing"), stopping(2)),
        GateSequence(
            "Face ID: without the fallback the evaluation ends without valid credentials", faceID,
            prompt("sensing"), mismatches(2, "stopped"), act(.cancelByUser, "ended.userCancelled"),
            prompt("sensing"), mismatches(2, "stopped"), act(.noAnswer, "ended.attemptsExhausted", at: .seconds(60))),
        GateSequence(
            "cancelled by the user, the system and the app", touchID,
            prompt("sensing"), act(.cancelByUser, "ended.userCancelled"),
            prompt("sensing"), act(.cancelBySystem, "ended.systemCancelled"),
            prompt("sensing"), act(.cancelByApp, "ended.appCancelled")),
        GateSequence(
            "the power button takes the screen", touchID, prompt("sensing"),
            act(.powerButton, "ended.systemCancelled")),
        GateSequence(
            "a face without attention neither matches nor fails", faceID, prompt("sensing"),
            (1...9).flatMap { _ in act(.inattentiveMatch, "hint.lookedAway") },
            act(.match(), "ended.verified.biometric")
        ),
        GateSequence(
            "a finger needs no attention", touchID, prompt("sensing"),
            act(.inattentiveMatch, "ended.verified.biometric")),
        GateSequence(
            "no passcode and no template", gate(.iOSFaceID, templates: [], credential: nil),
            prompt("refused.notEnrolled"), prompt("refused.noDeviceCredential", credential: true)),
        GateSequence(
            "without a passcode the sensor verifies no user, and no passcode becomes due", faceID,
            on(.requireCredential(.remoteLock), "changed"), on(.removeDeviceCredential, "changed"),
            prompt("refused.noDeviceCredential"), on(.requireCredential(.remoteLock), "ignored"),
            prompt("refused.noDeviceCredential", at: .hours(400), credential: true),
            on(.setDeviceCredential(.passcode), "changed", at: .hours(400)), prompt("sensing", at: .hours(400))),
        GateSequence(
            "not available: none, or the permission denied", faceID,
            on(.setAvailability(.absent), "changed"), prompt("refused.sensorAbsent"),
            on(.setAvailability(.permissionDenied), "changed"), prompt("refused.permissionDenied"),
            prompt("deviceCredentialRequired", credential: true)),
        GateSequence(
            "an accessory that is not paired, or goes out of reach", touchID,
            on(.setAvailability(.notPaired), "changed"), prompt("refused.sensorNotPaired"),
            on(.setAvailability(.present), "changed"), prompt("sensing"),
            on(.setAvailability(.disconnected), "ended.sensorDisconnected"), prompt("refused.sensorDisconnected")),
    ]

    static let lockouts: [GateSequence] = [
        GateSequence(
            "five failures in a row, across calls and apps, lock biometry until the passcode is entered", touchID,
            failing(3, "ended.attemptsExhausted"), prompt("sensing"), act(.nonMatch, "tryAgain"),
            act(.nonMatch, "ended.lockedOut.permanent"), prompt("refused.lockedOut.permanent", at: .hours(47)),
            unlock("ended.wrongCredential", correct: false, at: .hours(47)),
            prompt("refused.lockedOut.permanent", at: .hours(47)), unlock(at: .hours(47)),
            prompt("sensing", at: .hours(47))),
        GateSequence(
            "a locked Face ID falls back to the passcode if the policy allows it", faceID,
            prompt("sensing"), stopping(2), prompt("sensing"), stopping(2), failing(1, "ended.lockedOut.permanent"),
            prompt("deviceCredentialRequired", credential: true),
            act(.passcode(correct: true), "ended.verified.deviceCredential"), prompt("sensing")),
        GateSequence(
            "wrong passcodes impose growing delays, then disable the passcode", touchID,
            (1...5).flatMap { _ in unlock("ended.wrongCredential", correct: false) },
            unlock("ended.credentialLockedOut.timed", correct: false),
            unlock("refused.credentialLockedOut.timed", at: .minutes(1) - .tick),
            unlock("ended.credentialLockedOut.timed", correct: false, at: .minutes(1)),
            unlock("refused.credentialLockedOut.timed", at: .minutes(6) - .tick),
            unlock("ended.credentialLockedOut.timed", correct: false, at: .minutes(6)),
            unlock("refused.credentialLockedOut.timed", at: .minutes(21) - .tick),
            unlock("ended.credentialLockedOut.timed", correct: false, at: .minutes(21)),
            unlock("refused.credentialLockedOut.timed", at: .minutes(81) - .tick),
            unlock("ended.credentialLockedOut.permanent", correct: false, at: .minutes(81)),
            unlock("refused.credentialLockedOut.permanent", at: .hours(9_000)),
            on(.setDeviceCredential(.passcode), "changed", at: .hours(9_000)), unlock(at: .hours(9_000))),
        GateSequence(
            "a prompt and the lock screen count wrong passcodes together", gate(.iOSFaceID, .face, templates: []),
            (1...5).flatMap { _ in unlock("ended.wrongCredential", correct: false) },
            prompt("deviceCredentialRequired", credential: true),
            act(.passcode(correct: false), "ended.credentialLockedOut.timed"),
            prompt("refused.credentialLockedOut.timed", at: .seconds(59), credential: true),
            prompt("deviceCredentialRequired", at: .seconds(60), credential: true),
            act(.passcode(correct: true), "ended.verified.deviceCredential", at: .seconds(60))),
        GateSequence(
            "a restart does not shorten the passcode's delay", touchID,
            (1...5).flatMap { _ in unlock("ended.wrongCredential", correct: false) },
            unlock("ended.credentialLockedOut.timed", correct: false), on(.powerCycle, "changed"),
            unlock("refused.credentialLockedOut.timed", at: .seconds(59)), unlock(at: .seconds(60))),
    ]

    static let passcodeDue: [GateSequence] = [
        GateSequence(
            "after a restart", faceID, on(.powerCycle, "changed"), prompt("refused.strongAuthDue"),
            prompt("deviceCredentialRequired", credential: true),
            act(.passcode(correct: false), "tryAgain"), act(.cancelByUser, "ended.userCancelled"),
            prompt("refused.strongAuthDue"), unlock(), prompt("sensing")),
        GateSequence(
            "after a remote lock during a prompt", faceID, prompt("sensing", credential: true),
            on(.requireCredential(.remoteLock), "deviceCredentialRequired"),
            act(.match(), "ignored"), act(.passcode(correct: true), "ended.verified.deviceCredential")),
        GateSequence(
            "after the emergency gesture", touchID, prompt("sensing"),
            on(.requireCredential(.emergencyGesture), "ended.strongAuthDue"), prompt("refused.strongAuthDue")),
        GateSequence(
            "not unlocked for 48 h", touchID, unlock(), prompt("sensing", at: .hours(48) - .tick),
            act(.match(), "ended.verified.biometric", at: .hours(48) - .tick),
            prompt("refused.strongAuthDue", at: .hours(48)), unlock(at: .hours(48)),
            prompt("sensing", at: .hours(48))),
        GateSequence(
            "48 h count from the first start, not from the first prompt", AndroidRulesTests.started(touchID),
            prompt("sensing", at: .hours(48) - .tick),
            act(.cancelByUser, "ended.userCancelled", at: .hours(48) - .tick),
            prompt("refused.strongAuthDue", at: .hours(48))),
        GateSequence(
            "an unlock by biometrics restarts the 48 h, but an app's prompt does not", touchID, unlock(),
            prompt("sensing", at: .hours(40), purpose: .unlock),
            act(.match(), "ended.verified.biometric", at: .hours(40)),
            prompt("sensing", at: .hours(80)), act(.match(), "ended.verified.biometric", at: .hours(80)),
            prompt("refused.strongAuthDue", at: .hours(88))),
        GateSequence(
            "no passcode for 156 h and no biometric unlock for 4 h", touchID, unlock(),
            [40, 80, 120, 152].flatMap {
                prompt("sensing", at: .hours($0), purpose: .unlock)
                    + act(.match(), "ended.verified.biometric", at: .hours($0))
            },
            prompt("sensing", at: .hours(156) - .tick),
            act(.match(), "ended.verified.biometric", at: .hours(156) - .tick),
            prompt("refused.strongAuthDue", at: .hours(156))),
        GateSequence(
            "156 h without the passcode do not matter within 4 h of a biometric unlock", touchID, unlock(),
            [40, 80, 120, 153].flatMap {
                prompt("sensing", at: .hours($0), purpose: .unlock)
                    + act(.match(), "ended.verified.biometric", at: .hours($0))
            },
            prompt("sensing", at: .hours(157) - .tick),
            act(.cancelByUser, "ended.userCancelled", at: .hours(157) - .tick),
            prompt("refused.strongAuthDue", at: .hours(157), purpose: .unlock)),
        GateSequence(
            "a mismatch at an unlock prompt does not unlock", touchID, unlock(),
            prompt("sensing", at: .hours(40), purpose: .unlock), act(.nonMatch, "tryAgain", at: .hours(40)),
            act(.cancelByUser, "ended.userCancelled", at: .hours(40)), prompt("refused.strongAuthDue", at: .hours(48))),
    ]

    @Test("each rule holds in its sequence", arguments: evaluations + lockouts + passcodeDue)
    func rule(story: GateSequence) throws {
        try story.play()
    }

    @Test("the lockout can be read before any prompt, as LAEnvironment's isLockedOut")
    func readableLockout() {
        var phone = Self.faceID
        #expect(phone.lockout(at: .zero) == .none)
        phone.fail(times: 5, at: .zero)
        #expect(phone.lockout(of: .face, at: .zero) == .permanent)
    }

    /// Every change destroys `biometryCurrentSet` keys, keeps `biometryAny` keys and changes the apps' domain state.
    @Test(
        "every change to the enrolled set ends biometryCurrentSet and changes the domain state",
        arguments: [
            GateInput.enrol(BiometricTemplate(id: [9], name: "")), .removeTemplate(id: alice.id), .removeAllTemplates,
            .replace(templateID: alice.id, with: BiometricTemplate(id: [9], name: "")),
        ])
    func invalidation(input: GateInput) throws {
        var phone = gate(.iOSTouchID, templates: [alice, bob])
        let (binding, state) = (phone.binding, phone.sensor?.enrolmentGeneration)
        _ = try phone.apply(.rename(templateID: alice.id, to: "thumb"), at: .zero)
        #expect(phone.binding == binding)
        _ = try phone.apply(input, at: .zero)
        #expect(phone.binding != binding)
        #expect(phone.sensor?.enrolmentGeneration != state)
    }
}
