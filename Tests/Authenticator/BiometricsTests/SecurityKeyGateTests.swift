import Biometrics
import SampleGates
import Testing

@Suite("A security key's gate")
struct SecurityKeyGateTests {
    func key(_ maxUVRetries: Int = 3, internalRetries: Int = 1) throws -> UserVerificationGate {
        gate(
            try .securityKeyFingerprint(maxUVRetries: maxUVRetries, internalRetries: internalRetries), credential: nil)
    }

    @Test("getUVRetries counts down from its maximum to 0", arguments: [1, 3, 5, 25])
    func countsDown(maxUVRetries: Int) throws {
        var key = try key(maxUVRetries)
        #expect(key.attemptsRemaining(at: .zero) == maxUVRetries)
        for used in 1...maxUVRetries {
            key.fail(times: 1, at: .zero)
            #expect(key.attemptsRemaining(at: .zero) == maxUVRetries - used)
        }
        #expect(key.begin(biometricOnly, at: .seconds(1_000_000)).step == .refused(.lockedOutPermanently))
    }

    @Test("a command senses as often as its internal retries", arguments: 1...5)
    func internalRetries(internalRetries: Int) throws {
        var key = try key(25, internalRetries: internalRetries)
        _ = key.begin(biometricOnly, at: .zero)
        for _ in 1..<internalRetries {
            #expect(key.present(.nonMatch, at: .zero).step == .tryAgain(fallbackOffered: false))
        }
        #expect(key.present(.nonMatch, at: .zero).step == .ended(.failed(.attemptsExhausted)))
        #expect(key.attemptsRemaining(at: .zero) == 25 - internalRetries)
    }

    @Test("the last retry ends a command blocked, even with internal retries left")
    func lastRetryBlocks() throws {
        var key = try key(2, internalRetries: 5)
        _ = key.begin(biometricOnly, at: .zero)
        #expect(
            key.steps(.nonMatch, .nonMatch, at: .zero)
                == [.tryAgain(fallbackOffered: false), .ended(.failed(.lockedOutPermanently))])
    }

    @Test("a match restores all retries")
    func matchRefills() throws {
        var key = try key(3)
        key.fail(times: 2, at: .zero)
        _ = key.begin(biometricOnly, at: .zero)
        _ = key.present(.match(templateID: alice.id), at: .zero)
        #expect(key.attemptsRemaining(at: .zero) == 3)
    }

    @Test("a correct PIN restores all retries, on a blocked key and on one forced to 0")
    func pinRefills() throws {
        var blocked = try key(3)
        blocked.fail(times: 3, at: .zero)
        #expect(blocked.refill(at: .zero).lockoutBefore == .permanent)
        #expect(blocked.attemptsRemaining(at: .zero) == 3)
        #expect(blocked.begin(biometricOnly, at: .zero).step == .sensing(.fingerprint))

        var forced = try key(3)
        #expect(forced.exhaust(at: .zero).lockoutAfter == .exhausted)
        #expect(forced.attemptsRemaining(at: .zero) == 0)
        #expect(forced.begin(biometricOnly, at: .zero).step == .refused(.lockedOutPermanently))
        _ = forced.refill(at: .zero)
        #expect(forced.attemptsRemaining(at: .zero) == 3)
    }

    @Test("a refill clears a timed lockout too")
    func refillClearsTimed() {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 5, at: .zero)
        #expect(gate.refill(at: .seconds(1)).lockoutAfter == .none)
        #expect(gate.consecutiveFailures == 0)
    }

    @Test("a timeout uses up a retry, because performBuiltInUv decrements the counter before it senses")
    func timeoutCosts() throws {
        var key = try key(3)
        _ = key.begin(biometricOnly, at: .zero)
        let event = key.present(.noAnswer, at: .seconds(30))
        #expect(event.step == .ended(.failed(.timedOut)))
        #expect(event.counted)
        #expect(key.attemptsRemaining(at: .zero) == 2)
    }

    @Test("an unfinished prompt costs its retry when the next one begins")
    func abandonedPromptCosts() throws {
        var key = try key(3)
        _ = key.begin(biometricOnly, at: .zero)
        let event = key.begin(biometricOnly, at: .seconds(30))
        #expect(event.step == .sensing(.fingerprint))
        #expect(event.counted)
        #expect(key.attemptsRemaining(at: .seconds(30)) == 2)
    }

    @Test("a cancelled command and a bad touch use up no retry")
    func cancelIsFree() throws {
        var key = try key(3)
        _ = key.begin(biometricOnly, at: .zero)
        #expect(
            key.steps(.badCapture(.tooFast), .cancelByApp, at: .zero)
                == [.hint(.tooFast), .ended(.failed(.appCancelled))])
        #expect(key.attemptsRemaining(at: .zero) == 3)
    }

    @Test("a locked phone that allows the passcode still has an attempt; without a passcode, or forced, it has none")
    func attemptsWhileLocked() {
        var phone = gate(.iOSFaceID)
        phone.fail(times: 5, at: .zero)
        #expect(phone.attemptsRemaining(at: .zero) == 1)
        _ = phone.removeDeviceCredential(at: .zero)
        #expect(phone.attemptsRemaining(at: .zero) == 0)

        var forced = gate(.iOSFaceID)
        _ = forced.exhaust(at: .zero)
        #expect(forced.attemptsRemaining(at: .zero) == 0)
        #expect(forced.begin(withCredential, at: .zero).step == .refused(.lockedOutPermanently))
    }

    @Test("a timed lockout leaves no attempts; after it the count decides")
    func attemptsInTimedLockout() {
        var gate = gate(.androidFingerprint)
        gate.fail(times: 5, at: .zero)
        #expect(gate.attemptsRemaining(at: .milliseconds(29_999)) == 0)
        #expect(gate.attemptsRemaining(at: .seconds(30)) == 15)
    }

    @Test("using up the retries ends a prompt that waits for the sensor or the credential")
    func exhaustMidPrompt() {
        var sensing = gate(.iOSFaceID)
        _ = sensing.begin(withCredential, at: .zero)
        #expect(sensing.exhaust(at: .zero).step == .ended(.failed(.lockedOutPermanently)))

        var typing = gate(.iOSFaceID, templates: [])
        _ = typing.begin(withCredential, at: .zero)
        #expect(typing.exhaust(at: .zero).step == .ended(.failed(.lockedOutPermanently)))
    }
}
