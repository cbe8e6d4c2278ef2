import Biometrics
import SampleGates
import TestSupport
import Testing

@Suite("A prompt")
struct PromptTests {
    @Test(
        "ends with the reason of its cancellation, without a counted failure",
        arguments: [
            (GateAct.cancelByUser, GateFailure.userCancelled), (.cancelBySystem, .systemCancelled),
            (.cancelByApp, .appCancelled), (.noAnswer, .timedOut),
        ])
    func cancels(act: GateAct, failure: GateFailure) {
        for templates in [[alice], []] {
            var gate = gate(.iOSFaceID, templates: templates)
            _ = gate.begin(withCredential, at: .zero)
            let event = gate.present(act, at: .zero)
            #expect(event.step == .ended(.failed(failure)))
            #expect(event.stageAfter == .idle)
            #expect(!event.counted)
            #expect(gate.consecutiveFailures == 0)
        }
    }

    @Test("an act without a prompt is ignored and changes nothing", arguments: acts)
    func actWithoutPrompt(act: GateAct) {
        var gate = gate(.iOSTouchID)
        // The very first input starts the clocks.
        _ = gate.refill(at: .zero)
        let before = gate
        #expect(gate.present(act, at: .zero).step == .ignored)
        #expect(gate == before)
    }

    static let acts: [GateAct] = [
        .match(), .nonMatch, .spoof, .badCapture(.partial), .cancelByUser, .cancelBySystem, .cancelByApp, .fallback,
        .passcode(correct: true), .noAnswer,
    ]

    @Test("a passcode entered while the sensor is waiting is ignored")
    func passcodeWhileSensing() {
        var gate = gate(.iOSTouchID)
        _ = gate.begin(withCredential, at: .zero)
        #expect(gate.steps(.passcode(correct: true), .passcode(correct: false), at: .zero) == [.ignored, .ignored])
        #expect(gate.deviceCredential?.failedAttempts == 0)
    }

    @Test("a spoof counts like a mismatch")
    func spoofCounts() {
        var gate = gate(.iOSTouchID)
        _ = gate.begin(biometricOnly, at: .zero)
        let event = gate.present(.spoof, at: .zero)
        #expect(event.counted)
        #expect(event.failuresAfter == 1)
    }

    @Test("a bad capture is a hint and does not count, unless the policy says so")
    func badCapture() throws {
        var lenient = gate(.iOSTouchID)
        _ = lenient.begin(biometricOnly, at: .zero)
        for hint in AcquiredHint.allCases {
            let event = lenient.present(.badCapture(hint), at: .zero)
            #expect(event.step == .hint(hint))
            #expect(!event.counted)
        }
        #expect(lenient.consecutiveFailures == 0)

        var strict = gate(
            try GatePolicy(
                attemptsPerPrompt: 3, permanentLockoutAt: 5, badCaptureCounts: true, invalidationRule: .never))
        _ = strict.begin(biometricOnly, at: .zero)
        #expect(strict.present(.badCapture(.partial), at: .zero).step == .tryAgain(fallbackOffered: false))
        #expect(strict.consecutiveFailures == 1)
    }

    @Test(
        "a report of progress is never a failed attempt",
        arguments: [AcquiredHint.start, .firstFrame, .retrying])
    func progress(hint: AcquiredHint) throws {
        var strict = gate(
            try GatePolicy(
                attemptsPerPrompt: 3, permanentLockoutAt: 5, badCaptureCounts: true, invalidationRule: .never))
        _ = strict.begin(biometricOnly, at: .zero)
        #expect(strict.present(.badCapture(hint), at: .zero).step == .hint(hint))
        #expect(strict.consecutiveFailures == 0)
    }

    @Test("a match cannot be confirmed once its sensor is locked, its template removed or the credential due")
    func confirmationTooLate() throws {
        func confirming(at now: Duration = .zero) -> UserVerificationGate {
            var phone = gate(.androidFingerprint, sensors: [(.face, .class2, nil)])
            _ = phone.enterDeviceCredential(correct: true, at: .zero)
            _ = phone.begin(PromptOptions(allowsDeviceCredential: false, purpose: .unlock), at: now)
            #expect(phone.present(.match(), at: now).step == .confirmationRequired(.face))
            return phone
        }
        let late = Duration.hours(4) - .seconds(1)
        var due = confirming(at: late)
        #expect(due.present(.confirm, at: .hours(4)).step == .ended(.failed(.strongAuthenticationDue(.time))))
        var locked = confirming()
        #expect(locked.lockOut(.face, at: .zero).step == .ended(.failed(.lockedOutPermanently)))
        var removed = confirming()
        #expect(try removed.removeTemplate(id: alice.id, at: .zero).step == .ended(.failed(.notEnrolled)))
        var other = confirming()
        #expect(try other.removeTemplate(id: bob.id, at: .zero).step == .changed)
        #expect(other.present(.powerButton, at: .zero).step == .ended(.failed(.systemCancelled)))
    }

    @Test("a match names the finger that was presented, and the first one when none is named")
    func matchNamesTemplate() {
        var gate = gate(.iOSTouchID, templates: [alice, bob])
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(
            gate.present(.match(templateID: bob.id), at: .zero).step
                == .ended(.verified(method: .biometric(.fingerprint, templateID: bob.id))))
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(
            gate.present(.match(), at: .zero).step
                == .ended(.verified(method: .biometric(.fingerprint, templateID: alice.id))))
    }

    @Test("a finger that is not enrolled does not match, and counts")
    func nonMatchingUserCounts() {
        var gate = gate(.iOSTouchID)
        _ = gate.begin(biometricOnly, at: .zero)
        let event = gate.present(.match(templateID: bob.id), at: .zero)
        #expect(event.step == .tryAgain(fallbackOffered: true))
        #expect(event.counted)
    }

    @Test("accepts an answer one nanosecond before its deadline and times out at the deadline")
    func deadline() {
        var early = gate(.iOSTouchID)
        _ = early.begin(biometricOnly, at: .seconds(10))
        #expect(early.promptDeadline == .seconds(70))
        var late = early
        #expect(
            early.present(.match(), at: .seconds(70) - .nanoseconds(1)).step
                == .ended(.verified(method: .biometric(.fingerprint, templateID: alice.id))))
        #expect(late.present(.match(), at: .seconds(70)).step == .ended(.failed(.timedOut)))
    }

    @Test("an open prompt refuses another prompt and the unlock screen until it ends or times out")
    func onePromptAtATime() {
        var gate = gate(.iOSTouchID)
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(gate.begin(biometricOnly, at: .zero).step == .refused(.promptInProgress))
        #expect(gate.enterDeviceCredential(correct: true, at: .zero).step == .refused(.promptInProgress))
        #expect(gate.begin(biometricOnly, at: .seconds(60)).step == .sensing(.fingerprint))
    }

    @Test("an open prompt makes way for another one that can open, and for no other")
    func makesWay() {
        var gate = gate(.iOSTouchID)
        #expect(gate.makeWay(for: biometricOnly, at: .zero) == nil)
        _ = gate.begin(biometricOnly, at: .zero)
        let unlike = gate
        #expect(gate.makeWay(for: biometricOnly, at: .zero)?.step == .ended(.failed(.systemCancelled)))
        #expect(gate.stage == .idle)
        #expect(gate.begin(biometricOnly, at: .zero).step == .sensing(.fingerprint))

        gate = unlike
        _ = gate.setAvailability(.failed, at: .zero)
        _ = gate.begin(PromptOptions.deviceCredential, at: .zero)
        #expect(gate.makeWay(for: biometricOnly, at: .zero) == nil)
        #expect(gate.begin(biometricOnly, at: .zero).step == .refused(.sensorFailed))
        #expect(gate.stage == .deviceCredential)
        #expect(gate.makeWay(for: .biometricOrDeviceCredential, at: .zero) != nil)
    }

    @Test("the earliest time, the latest time and a clock that goes back do not cause a trap")
    func extremeClocks() {
        let ends: [Duration] = [
            .seconds(Int64.max) * 18, .zero, .seconds(Int64.min) * 18, .seconds(Int64.max), .seconds(-1),
        ]
        for now in ends {
            for later in ends {
                var gate = gate(.androidFingerprint)
                gate.fail(times: 5, at: now)
                #expect((0...5).contains(gate.consecutiveFailures))
                _ = gate.begin(biometricOnly, at: later)
                _ = gate.present(.nonMatch, at: now)
                #expect(gate.attemptsRemaining(at: later) <= 20)
            }
        }
    }

    @Test("an event describes the input and its effect")
    func evidence() {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 4, at: .zero)
        _ = gate.begin(biometricOnly, at: .seconds(7))
        let event = gate.present(.nonMatch, at: .seconds(8))
        #expect(event.at == .seconds(8))
        #expect(event.input == .present(.nonMatch))
        #expect(event.modality == .fingerprint)
        #expect(event.stageBefore == .sensing)
        #expect(event.stageAfter == .idle)
        #expect(event.failuresBefore == 4)
        #expect(event.failuresAfter == 5)
        #expect(event.lockoutBefore == .none)
        #expect(event.lockoutAfter == .timed(until: .seconds(38)))
        #expect(event.counted)
        #expect(event.input.label == "present.nonMatch")
        #expect(event.step.label == "ended.lockedOut.timed")
    }

    @Test("outcomes, failures and refusals have stable labels")
    func labels() {
        #expect(GateOutcome.verified(method: .biometric(.face, templateID: [1])).cause == "verified.biometric")
        #expect(GateOutcome.verified(method: .deviceCredential).cause == "verified.deviceCredential")
        #expect(GateOutcome.failed(.userCancelled).cause == "userCancelled")
        #expect(GateFailure.lockedOut(until: .zero).cause == "lockedOut.timed")
        #expect(GateFailure.lockedOutPermanently.cause == "lockedOut.permanent")
        #expect(GateFailure.lockedOut(until: .zero).cause == "lockedOut.timed")
        #expect(GateFailure.lockedOutPermanently.cause == "lockedOut.permanent")
        #expect(GateFailure.notEnrolled.cause == "notEnrolled")
        #expect(GateStep.refused(.notEnrolled).label == "refused.notEnrolled")
    }
}
