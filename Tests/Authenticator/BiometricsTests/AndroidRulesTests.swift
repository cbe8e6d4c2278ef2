import Biometrics
import SampleGates
import Testing

/// Android's rules: the framework's LockoutFrameworkImpl, FaceService, MultiBiometricLockoutState and AuthSession, the
/// Compatibility Definition 7.3.10, KeyGenParameterSpec's documentation, and the virtual HALs of AOSP.
@Suite("Android's rules")
struct AndroidRulesTests {
    static let finger = gate(.androidFingerprint)
    static let face = gate(.androidFace, .face)
    static let both = gate(
        .androidFingerprint, sensors: [(.fingerprint, .class3, nil), (.face, .class2, .androidFace)])
    static let equals = gate(
        .androidFingerprint, sensors: [(.fingerprint, .class3, nil), (.face, .class3, .androidFace)])

    static func only(
        _ modality: BiometricModality, _ strength: StrengthClass, _ lockout: LockoutPolicy? = nil
    ) -> UserVerificationGate {
        gate(.androidFingerprint, sensors: [(modality, strength, lockout)])
    }

    static func started(_ gate: UserVerificationGate) -> UserVerificationGate {
        var gate = gate
        gate.start(at: .zero)
        return gate
    }

    /// Faces that fail in one prompt, each after "Try again".
    static func failingFaces(_ count: Int, _ last: String, at: Duration) -> [GateSequence.Move] {
        prompt("sensing", at: at)
            + (1..<count).flatMap { _ in act(.nonMatch, "paused", at: at) + act(.tryAgain, "sensing", at: at) }
            + act(.nonMatch, last, at: at)
    }

    static let lockouts: [GateSequence] = [
        GateSequence(
            "fingerprint: 30 s at 5, 10 and 15, permanent at 20; the end of a timed lockout does not reset the count",
            finger,
            (0...2).flatMap { round in
                failing(5, "ended.lockedOut.timed", at: .seconds(round * 30))
                    + prompt("refused.lockedOut.timed", at: .seconds(round * 30 + 30) - .tick)
            }, failing(5, "ended.lockedOut.permanent", at: .seconds(90)),
            prompt("refused.lockedOut.permanent", at: .hours(71)), unlock(at: .hours(71)),
            prompt("sensing", at: .hours(71))),
        GateSequence(
            "face in older frameworks: 30 s at 3, 6 and 9, permanent at 12", face,
            (0...2).flatMap { failingFaces(3, "ended.lockedOut.timed", at: .seconds($0 * 30)) },
            failingFaces(3, "ended.lockedOut.permanent", at: .seconds(90))),
        GateSequence(
            "virtual fingerprint HAL: 10 s at 5; the end of the lockout resets the count",
            only(.fingerprint, .class3, .virtualFingerprintHAL),
            (0...9).flatMap { round in
                failing(5, "ended.lockedOut.timed", at: .seconds(round * 10))
                    + prompt("refused.lockedOut.timed", at: .seconds(round * 10 + 10) - .tick)
            }, prompt("sensing", at: .seconds(100))),
        GateSequence(
            "virtual face HAL: 10 s at 3; the count does not reach 5", only(.face, .class3, .virtualFaceHAL),
            (0...9).flatMap { failingFaces(3, "ended.lockedOut.timed", at: .seconds($0 * 10)) }),
        GateSequence(
            "a HAL with a lockout command locks immediately and permanently", finger, prompt("sensing"),
            on(.lockOut(nil), "ended.lockedOut.permanent"), prompt("refused.lockedOut.permanent", at: .hours(1)),
            unlock(at: .hours(1)), prompt("sensing", at: .hours(1))),
        GateSequence(
            "a match resets the failures", finger,
            (1...9).flatMap { _ in
                prompt("sensing") + mismatches(4, "tryAgain") + act(.match(), "ended.verified.biometric")
            }
        ),
        GateSequence(
            "a lockout of class 3 locks class 2", both, failing(5, "ended.lockedOut.timed"),
            prompt("refused.lockedOut.timed"), prompt("sensing", at: .seconds(30)),
            act(.sample(.match(), on: .face), "confirmationRequired", at: .seconds(30))),
        GateSequence(
            "a lockout of class 2 does not lock class 3; a match of class 3 unlocks class 2", both, prompt("sensing"),
            (1...2).flatMap { _ in act(.sample(.nonMatch, on: .face), "tryAgain") },
            act(.sample(.nonMatch, on: .face), "tryAgain"), act(.sample(.match(), on: .face), "ignored"),
            act(.sample(.match(), on: .fingerprint), "ended.verified.biometric"), prompt("sensing"),
            act(.sample(.match(), on: .face), "confirmationRequired")),
        GateSequence(
            "two sensors of one class lock together, and a match of either unlocks both", equals,
            prompt("sensing"), (1...2).flatMap { _ in act(.sample(.nonMatch, on: .face), "tryAgain") },
            act(.sample(.nonMatch, on: .face), "ended.lockedOut.timed"),
            prompt("refused.lockedOut.timed", at: .seconds(29)), prompt("sensing", at: .seconds(30)),
            act(.match(), "ended.verified.biometric", at: .seconds(30))),
    ]

    static let prompts: [GateSequence] = [
        GateSequence(
            "a mismatch does not end a prompt", finger, prompt("sensing"), mismatches(4, "tryAgain"),
            act(.match(), "ended.verified.biometric")),
        GateSequence(
            "only a clear sample of another user counts as a failure", finger, prompt("sensing"),
            AcquiredHint.allCases.flatMap { act(.badCapture($0), "hint.\($0.rawValue)") }, act(.spoof, "tryAgain")),
        GateSequence(
            "a face is confirmed", face, prompt("sensing"), act(.match(), "confirmationRequired"),
            act(.nonMatch, "ignored"), act(.confirm, "ended.verified.biometric"), prompt("sensing"),
            act(.match(), "confirmationRequired"), act(.declineConfirmation, "ended.confirmationDeclined"),
            prompt("sensing"), act(.match(), "confirmationRequired"), act(.noAnswer, "ended.timedOut")),
        GateSequence(
            "a face that does not match pauses the prompt until the user tries again", face, prompt("sensing"),
            act(.nonMatch, "paused"), act(.match(), "ignored"), act(.tryAgain, "sensing"),
            act(.match(), "confirmationRequired"), act(.confirm, "ended.verified.biometric")),
        GateSequence(
            "a sensor that saw no face pauses the prompt, which waits as long again", face, prompt("sensing"),
            act(.noAnswer, "paused", at: .seconds(30)), act(.tryAgain, "sensing", at: .seconds(59)),
            act(.noAnswer, "paused", at: .seconds(60)), act(.noAnswer, "ended.timedOut", at: .seconds(90))),
        GateSequence(
            "a paused prompt offers its fallback and can be cancelled", face, prompt("sensing"),
            act(.nonMatch, "paused"), act(.fallback, "ended.fallbackChosen"), prompt("sensing"),
            act(.nonMatch, "paused"), act(.cancelByUser, "ended.userCancelled")),
        GateSequence(
            "a face that fails beside a finger pauses nothing", both, prompt("sensing"),
            act(.sample(.nonMatch, on: .face), "tryAgain"), act(.sample(.match(), on: .face), "confirmationRequired")),
        GateSequence(
            "the lock screen's prompt for a face does not pause", face, prompt("sensing", purpose: .unlock),
            act(.nonMatch, "tryAgain"), act(.match(), "confirmationRequired")),
        GateSequence(
            "an app that leaves the screen ends its prompt", finger, prompt("sensing"),
            act(.leaveScreen, "ended.appLeftScreen")),
        GateSequence(
            "a match of a finger needs no confirmation", finger, prompt("sensing"),
            act(.match(), "ended.verified.biometric")),
        GateSequence(
            "the app may disable the confirmation", face,
            on(.begin(PromptOptions(allowsDeviceCredential: false, wantsConfirmation: false)), "sensing"),
            act(.match(), "ended.verified.biometric")),
        GateSequence(
            "the negative button", finger, prompt("sensing"), act(.fallback, "ended.fallbackChosen")),
        GateSequence(
            "a sensor error ends the prompt, but does not lock the sensor", finger,
            [
                (.unableToProcess, "unableToProcess"), (.vendor, "vendorError"), (.noSpace, "noSpace"),
                (.reEnrolRequired, "reEnrolRequired"), (.hardwareUnavailable, "sensorFailed"),
                (.unknown, "unknownError"),
            ].flatMap { (error: SensorError, label: String) in
                prompt("sensing") + act(.sensorError(error), "ended.\(label)")
            }),
        GateSequence(
            "states of the sensor", finger,
            [
                (.absent, "sensorAbsent"), (.busy, "sensorBusy"), (.failed, "sensorFailed"),
                (.securityUpdateRequired, "securityUpdateRequired"), (.privacyEnabled, "sensorPrivacy"),
                (.unrecognized, "unknownError"), (.disabledByPolicy, "disabledByPolicy"),
            ].flatMap { (availability: SensorAvailability, label: String) in
                prompt("sensing") + on(.setAvailability(availability), "ended.\(label)") + prompt("refused.\(label)")
                    + on(.setAvailability(.present), "changed")
            }),
    ]

    static let classes: [GateSequence] = [
        GateSequence(
            "class 1 is not offered to apps, but unlocks", only(.face, .class1), prompt("refused.strengthInsufficient"),
            prompt("refused.strengthInsufficient", minimum: .class1), prompt("sensing", purpose: .unlock),
            act(.match(), "confirmationRequired")),
        GateSequence(
            "a request for class 3 does not use a class 2 sensor", only(.face, .class2),
            prompt("refused.strengthInsufficient", minimum: .class3), prompt("sensing")),
        GateSequence(
            "a strong sensor without templates is reported as not enrolled", both,
            (1...2).flatMap { on(.removeTemplate(id: [UInt8($0)], on: .fingerprint), "changed") },
            prompt("refused.notEnrolled", minimum: .class3), prompt("sensing")),
        GateSequence(
            "class 3: the lock screen asks for the screen lock every 72 h", finger, unlock(),
            prompt("sensing", at: .hours(72) - .tick, purpose: .unlock),
            act(.cancelByUser, "ended.userCancelled", at: .hours(72) - .tick),
            prompt("refused.strongAuthDue", at: .hours(72), purpose: .unlock), unlock(at: .hours(72)),
            prompt("sensing", at: .hours(72), purpose: .unlock)),
        GateSequence(
            "prompts of apps know no such time", finger, unlock(), prompt("sensing", at: .hours(1000)),
            act(.match(), "ended.verified.biometric", at: .hours(1000))),
        GateSequence(
            "a screen lock that an event requires is due in every prompt", finger,
            on(.requireCredential(.remoteLock), "changed"), prompt("refused.strongAuthDue"),
            prompt("refused.strongAuthDue", purpose: .unlock)),
        GateSequence(
            "the clocks run from the first start, not from the first prompt", started(finger),
            prompt("refused.strongAuthDue", at: .hours(72), purpose: .unlock)),
        GateSequence(
            "removing the screen lock removes the templates", finger, on(.removeDeviceCredential, "changed"),
            prompt("refused.notEnrolled"), on(.setDeviceCredential(.pin), "changed"), prompt("refused.notEnrolled"),
            on(.enrol(alice), "changed"), prompt("sensing")),
        GateSequence(
            "an administrator's reset of the screen lock keeps the templates", finger,
            on(.resetDeviceCredential(.pin), "changed"), prompt("sensing")),
        GateSequence(
            "class 2: every 24 h, independent of unlocks in between", only(.face, .class2), unlock(),
            (1...7).flatMap {
                prompt("sensing", at: .hours($0 * 3), purpose: .unlock)
                    + act(.match(), "confirmationRequired", at: .hours($0 * 3))
                    + act(.confirm, "ended.verified.biometric", at: .hours($0 * 3))
            }, prompt("sensing", at: .hours(24) - .tick, purpose: .unlock),
            act(.cancelByUser, "ended.userCancelled", at: .hours(24) - .tick),
            prompt("refused.strongAuthDue", at: .hours(24), purpose: .unlock)),
        GateSequence(
            "class 2: after four hours idle", only(.face, .class2), unlock(),
            prompt("sensing", at: .hours(4) - .tick, purpose: .unlock),
            act(.cancelByUser, "ended.userCancelled", at: .hours(4) - .tick),
            prompt("refused.strongAuthDue", at: .hours(4), purpose: .unlock)),
        GateSequence(
            "class 1: after three failures", only(.face, .class1, .androidFingerprint),
            prompt("sensing", purpose: .unlock), mismatches(3, "ended.strongAuthDue"),
            prompt("refused.strongAuthDue", purpose: .unlock), unlock(), prompt("sensing", purpose: .unlock)),
        GateSequence(
            "with both sensors, class 3 still works when class 2 needs the screen lock", both, unlock(),
            prompt("sensing", at: .hours(5), purpose: .unlock),
            act(.sample(.match(), on: .face), "ignored", at: .hours(5)),
            act(.match(), "ended.verified.biometric", at: .hours(5))),
    ]

    @Test("each rule holds in its sequence", arguments: lockouts + prompts + classes)
    func rule(story: GateSequence) throws {
        try story.play()
    }

    @Test("if two timed lockouts overlap, the later end applies")
    func laterEnd() {
        var phone = Self.both
        _ = phone.begin(biometricOnly, at: .zero)
        for _ in 1...5 { _ = phone.present(.nonMatch, at: .zero) }
        #expect(phone.lockout(of: .face, at: .zero) == .timed(until: .seconds(30)))

        var other = Self.both
        _ = other.begin(biometricOnly, at: .zero)
        for _ in 1...3 { _ = other.present(.sample(.nonMatch, on: .face), at: .seconds(10)) }
        #expect(other.lockout(of: .face, at: .seconds(10)) == .timed(until: .seconds(40)))
        for _ in 1...5 { _ = other.present(.sample(.nonMatch, on: .fingerprint), at: .seconds(5)) }
        #expect(other.lockout(of: .fingerprint, at: .seconds(10)) == .timed(until: .seconds(35)))
        #expect(other.lockout(of: .face, at: .seconds(10)) == .timed(until: .seconds(40)))
    }

    @Test("the screen lock unlocks every class, a match of class 2 only class 2 and weaker sensors")
    func whatOpens() {
        var phone = gate(
            .androidFingerprint,
            sensors: [(.fingerprint, .class3, nil), (.face, .class2, .androidFace), (.voice, .class1, .androidFace)])
        _ = phone.begin(PromptOptions(allowsDeviceCredential: false, purpose: .unlock), at: .zero)
        _ = phone.present(.sample(.nonMatch, on: .fingerprint), at: .zero)
        for _ in 1...2 { _ = phone.present(.sample(.nonMatch, on: .voice), at: .zero) }
        _ = phone.present(.sample(.match(), on: .face), at: .zero)
        #expect(phone.sensors.map(\.consecutiveFailures) == [1, 0, 0])
        _ = phone.present(.cancelByUser, at: .zero)
        _ = phone.lockOut(.fingerprint, at: .zero)
        for modality in [BiometricModality.fingerprint, .face, .voice] {
            #expect(phone.lockout(of: modality, at: .hours(1)) == .permanent)
        }
        _ = phone.enterDeviceCredential(correct: true, at: .zero)
        for modality in [BiometricModality.fingerprint, .face, .voice] {
            #expect(phone.lockout(of: modality, at: .zero) == .none)
        }
    }

    @Test("an event names its sensor")
    func eventNamesItsSensor() {
        var phone = Self.both
        #expect(phone.begin(biometricOnly, at: .zero).modality == .fingerprint)
        #expect(phone.sensingModalities(at: .zero) == [.fingerprint, .face])
        let event = phone.present(.sample(.nonMatch, on: .face), at: .zero)
        #expect(event.modality == .face)
        #expect(event.failuresAfter == 1 && event.counted)
        #expect(phone.consecutiveFailures == 0)
        for _ in 1...2 { _ = phone.present(.sample(.nonMatch, on: .face), at: .zero) }
        #expect(phone.sensingModalities(at: .zero) == [.fingerprint])
        #expect(phone.attemptsRemaining(at: .zero) == 20)
    }

    static let powerButton: [(PowerButtonRule, String)] = [
        (.systemCancelled, "systemCancelled"), (.powerPressed, "powerPressed"), (.verifies, "verified.biometric"),
    ]

    @Test("a sensor in the power button reports a press, or takes it for a finger", arguments: powerButton)
    func power(rule: PowerButtonRule, label: String) throws {
        let policy = try GatePolicy(
            lockout: .androidFingerprint, deviceCredentialFallback: true, invalidationRule: .never, powerButton: rule)
        try GateSequence(
            "power", gate(policy), prompt("sensing"), act(.powerButton, "ended.\(label)"),
            on(.removeAllTemplates, "changed"), prompt("deviceCredentialRequired", credential: true),
            act(.powerButton, "ended.systemCancelled")
        ).play()
    }

    static let invalidation: [(GateInput, Bool)] = [
        (.enrol(BiometricTemplate(id: [9], name: "")), true), (.removeTemplate(id: alice.id), false),
        (.replace(templateID: alice.id, with: BiometricTemplate(id: [9], name: "")), true),
        (.removeAllTemplates, true), (.removeDeviceCredential, true), (.rename(templateID: alice.id, to: "x"), false),
        (.enrol(BiometricTemplate(id: [9], name: ""), on: .face), true), (.lockOut(nil), false), (.refill, false),
    ]

    @Test(
        "a new template, the removal of the last template and the removal of the screen lock invalidate per-use keys",
        arguments: invalidation)
    func keys(input: GateInput, dies: Bool) throws {
        var phone = Self.equals
        let binding = phone.binding
        _ = try phone.apply(input, at: .zero)
        #expect((phone.binding != binding) == dies)
    }

    @Test("enrolment on a weak sensor does not affect keys")
    func weakEnrolment() throws {
        var phone = Self.both
        let binding = phone.binding
        _ = try phone.enrol(BiometricTemplate(id: [9], name: ""), on: .face, at: .zero)
        #expect(phone.binding == binding)
        #expect(binding.generations.map(\.modality) == [.fingerprint])
    }

    @Test("the authenticator ID changes with enrolment in any strong sensor, and is 0 without a template")
    func authenticatorIDs() throws {
        var phone = Self.equals
        func ids() -> [UInt64] { phone.sensors.map(\.authenticatorID) }
        let first = ids()
        #expect(first[0] != first[1] && !first.contains(0))
        _ = try phone.enrol(BiometricTemplate(id: [9], name: ""), on: .fingerprint, at: .zero)
        let second = ids()
        #expect(second[0] != first[0] && second[1] != first[1])
        _ = try phone.removeTemplate(id: [9], on: .fingerprint, at: .zero)
        #expect(ids() == second)
        _ = phone.removeAllTemplates(at: .zero)
        #expect(ids() == [0, 0])
        _ = try phone.enrol(alice, on: .fingerprint, at: .zero)
        #expect(phone.sensors[0].authenticatorID != 0)
        #expect(!(first + second).contains(phone.sensors[0].authenticatorID))
        #expect(Self.both.sensor(for: .face)?.authenticatorID == 0)
    }
}
