import Biometrics
import SampleGates
import Testing

@Suite("An iPhone's gate")
struct AppleGateTests {
    @Test(
        "ends a biometric-only prompt at its own limit, which is below the lockout",
        arguments: [(GatePolicy.iOSFaceID, 2), (.iOSTouchID, 3)])
    func perPromptLimit(policy: GatePolicy, limit: Int) {
        var gate = gate(policy)
        #expect(gate.begin(biometricOnly, at: .zero).step == .sensing(.fingerprint))
        for _ in 1..<limit {
            guard case .tryAgain = gate.present(.nonMatch, at: .zero).step else {
                Issue.record("the prompt ended before its limit")
                return
            }
        }
        let last = gate.present(.nonMatch, at: .zero)
        // Face ID's fallback button appears with the last failure.
        if policy == .iOSFaceID {
            #expect(last.step == .stopped)
            #expect(gate.present(.giveUp, at: .zero).step == .ended(.failed(.attemptsExhausted)))
        } else {
            #expect(last.step == .ended(.failed(.attemptsExhausted)))
        }
        #expect(last.failuresAfter == limit)
        #expect(last.lockoutAfter == .none)
        #expect(gate.stage == .idle)
    }

    @Test(
        "leads to the passcode at the limit, where allowed",
        arguments: [(GatePolicy.iOSFaceID, 2), (.iOSTouchID, 3)])
    func limitFallsToPasscode(policy: GatePolicy, limit: Int) {
        var gate = gate(policy)
        _ = gate.begin(withCredential, at: .zero)
        for _ in 1..<limit { _ = gate.present(.nonMatch, at: .zero) }
        #expect(gate.present(.nonMatch, at: .zero).step == .deviceCredentialRequired)
        #expect(gate.stage == .deviceCredential)
        #expect(gate.present(.passcode(correct: true), at: .zero).step == .ended(.verified(method: .deviceCredential)))
        #expect(gate.consecutiveFailures == 0)
    }

    @Test(
        "locks at the fifth failure in a row, counted over prompts and apps",
        arguments: [GatePolicy.iOSFaceID, .iOSTouchID])
    func locksAtFive(policy: GatePolicy) {
        var gate = gate(policy)
        gate.fail(times: 4, at: .zero)
        #expect(gate.lockout(at: .zero) == .none)
        #expect(gate.fail(times: 1, at: .zero) == .ended(.failed(.lockedOutPermanently)))
        #expect(gate.lockout(at: .zero) == .permanent)
        #expect(gate.begin(biometricOnly, at: .seconds(1_000_000)).step == .refused(.lockedOutPermanently))
    }

    @Test("a lockout during a prompt leads to the passcode")
    func lockoutMidPromptFallsToPasscode() {
        var gate = gate(.iOSTouchID)
        gate.fail(times: 4, at: .zero)
        _ = gate.begin(withCredential, at: .zero)
        let event = gate.present(.nonMatch, at: .zero)
        #expect(event.step == .deviceCredentialRequired)
        #expect(event.lockoutAfter == .permanent)
    }

    @Test("a locked sensor asks for the passcode immediately, and the passcode unlocks it")
    func lockedPromptStartsWithPasscode() {
        var gate = gate(.iOSFaceID, .face)
        gate.fail(times: 5, at: .zero)
        #expect(gate.begin(withCredential, at: .zero).step == .deviceCredentialRequired)
        #expect(gate.present(.match(), at: .zero).step == .ignored)
        #expect(gate.present(.passcode(correct: false), at: .zero).step == .tryAgain(fallbackOffered: false))
        #expect(gate.lockout(at: .zero) == .permanent)
        _ = gate.present(.passcode(correct: true), at: .zero)
        #expect(gate.lockout(at: .zero) == .none)
        #expect(gate.begin(biometricOnly, at: .zero).step == .sensing(.face))
    }

    @Test("a user who gives up at the passcode cancels the prompt, and the sensor stays locked")
    func givingUpAtThePasscodeCancels() {
        var gate = gate(.iOSFaceID, .face)
        gate.fail(times: 5, at: .zero)
        #expect(gate.begin(withCredential, at: .zero).obstacle == .lockedOutPermanently)
        #expect(gate.present(.giveUp, at: .zero).step == .ended(.failed(.userCancelled)))
        #expect(gate.lockout(at: .zero) == .permanent)
        let passcode = gate.begin(PromptOptions(allowsDeviceCredential: true, allowsBiometrics: false), at: .zero)
        #expect(passcode.obstacle == nil)
    }

    @Test("a match clears the failures of all prompts before it")
    func matchClears() {
        var gate = gate(.iOSTouchID)
        gate.fail(times: 4, at: .zero)
        _ = gate.begin(biometricOnly, at: .zero)
        let event = gate.present(.match(), at: .zero)
        #expect(event.step == .ended(.verified(method: .biometric(.fingerprint, templateID: alice.id))))
        #expect(event.failuresBefore == 4)
        #expect(event.failuresAfter == 0)
        gate.fail(times: 4, at: .zero)
        #expect(gate.lockout(at: .zero) == .none)
    }

    @Test("Touch ID offers its fallback after the first failure, and it leads to the passcode")
    func fallbackLeadsToPasscode() {
        var gate = gate(.iOSTouchID)
        _ = gate.begin(withCredential, at: .zero)
        #expect(!gate.isFallbackOffered)
        #expect(
            gate.steps(.fallback, .nonMatch, .fallback, at: .zero)
                == [.ignored, .tryAgain(fallbackOffered: true), .deviceCredentialRequired])
    }

    @Test("the fallback ends a prompt that does not allow the passcode")
    func fallbackEndsBiometricPrompt() {
        var gate = gate(.iOSTouchID)
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(
            gate.steps(.nonMatch, .fallback, at: .zero)
                == [.tryAgain(fallbackOffered: true), .ended(.failed(.fallbackChosen))])
    }

    @Test("Face ID offers no fallback after the first failure")
    func faceIDOffersLater() {
        var gate = gate(.iOSFaceID, .face)
        _ = gate.begin(withCredential, at: .zero)
        #expect(
            gate.steps(.nonMatch, .fallback, at: .zero) == [.tryAgain(fallbackOffered: false), .ignored])
    }

    @Test("six wrong passcodes end a prompt with a delay of a minute and do not change the biometric count")
    func wrongPasscodes() {
        var gate = gate(.iOSFaceID, templates: [])
        _ = gate.begin(withCredential, at: .zero)
        for _ in 1...5 {
            #expect(gate.present(.passcode(correct: false), at: .zero).step == .tryAgain(fallbackOffered: false))
        }
        let last = gate.present(.passcode(correct: false), at: .zero)
        #expect(last.step == .ended(.failed(.credentialLockedOut(until: .seconds(60)))))
        #expect(!last.counted)
        #expect(gate.consecutiveFailures == 0)
        #expect(gate.deviceCredential?.failedAttempts == 6)
    }
}
