import Biometrics
import SampleGates
import Testing

@Suite("An Android phone's gate")
struct AndroidGateTests {
    @Test("a mismatch does not end a prompt before the sensor locks")
    func promptStays() {
        var gate = gate(.androidFingerprint)
        _ = gate.begin(biometricOnly, at: .zero)
        for _ in 1...4 {
            #expect(gate.present(.nonMatch, at: .zero).step == .tryAgain(fallbackOffered: true))
        }
        #expect(gate.present(.nonMatch, at: .zero).step == .ended(.failed(.lockedOut(until: .seconds(30)))))
    }

    @Test("the lockouts: 30 s after 5, 10 and 15 failures in a row, permanent after 20")
    func ladder() {
        var gate = gate(.androidFingerprint)
        var now = Duration.seconds(1_000)
        for failures in 1...20 {
            let step = gate.fail(times: 1, at: now)
            #expect(gate.consecutiveFailures == failures)
            switch failures {
            case 5, 10, 15:
                #expect(gate.lockout(at: now) == .timed(until: now + .seconds(30)))
                #expect(step == .ended(.failed(.lockedOut(until: now + .seconds(30)))))
                now += .seconds(30)
            case 20:
                #expect(gate.lockout(at: now) == .permanent)
                #expect(step == .ended(.failed(.lockedOutPermanently)))
            default:
                #expect(gate.lockout(at: now) == .none)
                #expect(step == .tryAgain(fallbackOffered: true))
            }
        }
        #expect(gate.begin(biometricOnly, at: now + .seconds(86_400 * 365)).step == .refused(.lockedOutPermanently))
    }

    @Test("a timed lockout holds at 29.999 s and is over at 30 s")
    func timedBoundary() {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 5, at: .zero)
        #expect(
            gate.begin(biometricOnly, at: .milliseconds(29_999)).step == .refused(.lockedOut(until: .seconds(30))))
        let event = gate.begin(biometricOnly, at: .seconds(30))
        #expect(event.step == .sensing(.fingerprint))
        #expect(event.lockoutBefore == .none)
    }

    @Test("the end of a timed lockout does not reset the count")
    func expiryKeepsCount() {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 5, at: .zero)
        #expect(gate.begin(biometricOnly, at: .seconds(30)).failuresAfter == 5)
    }

    @Test("an expired lockout stays expired when the clock is set back")
    func expiredLockoutStaysOver() {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 5, at: .seconds(100))
        _ = gate.begin(biometricOnly, at: .seconds(130))
        #expect(gate.lockout(at: .seconds(100)) == .none)
    }

    @Test("the screen lock clears a timed and a permanent lockout and all failures", arguments: [5, 20])
    func credentialClears(failures: Int) {
        var gate = gate(.androidFingerprint)
        for batch in 0..<(failures / 5) { gate.fail(times: 5, at: .seconds(60 * batch)) }
        let now = Duration.seconds(60 * (failures / 5 - 1))
        #expect(gate.lockout(at: now) != .none)
        let wrong = gate.enterDeviceCredential(correct: false, at: now)
        #expect(wrong.step == .ended(.failed(.wrongCredential)))
        #expect(wrong.lockoutAfter == wrong.lockoutBefore)
        #expect(gate.deviceCredential?.failedAttempts == 1)
        let right = gate.enterDeviceCredential(correct: true, at: now)
        #expect(right.step == .ended(.verified(method: .deviceCredential)))
        #expect(right.failuresAfter == 0)
        #expect(right.lockoutAfter == .none)
        #expect(gate.deviceCredential?.failedAttempts == 0)
    }

    @Test("a lockout asks for the screen lock, where allowed, instead of ending the prompt")
    func fallbackOn() {
        var gate = gate(.androidFingerprint.withDeviceCredentialFallback(true), credential: .pattern)
        _ = gate.begin(withCredential, at: .zero)
        for _ in 1...4 { _ = gate.present(.nonMatch, at: .zero) }
        #expect(gate.present(.nonMatch, at: .zero).step == .deviceCredentialRequired)
    }

    @Test("the negative button is available from the beginning")
    func negativeButton() {
        var gate = gate(.androidFingerprint)
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(gate.isFallbackOffered)
        #expect(gate.present(.fallback, at: .zero).step == .ended(.failed(.fallbackChosen)))
    }
}
