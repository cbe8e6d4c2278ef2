import Biometrics
import Causes
import DeviceProfiles
import PlatformErrors
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

private typealias Protection = SecureStorage.Protection

/// Rules of Apple's and Microsoft's platforms, from Apple Platform Security, SecAccessControlCreateFlags and Microsoft
/// Learn.
@Suite("A phone or computer of Apple or Microsoft")
struct AppleAndWindowsTests {
    /// Apple Platform Security, "Passcode requirements": from the last unlock or start.
    @Test("counts 48 hours from its first start, not from its first prompt")
    func clocksFromTheStart() async throws {
        let phone = try Device("iphone-face-id")
        phone.clock.advance(by: .seconds(48 * 3600))
        #expect(await phone.device.verifyUser(.biometrics).cause == "strongAuthDue")
    }

    /// Apple Platform Security: the gesture for powering off or Emergency SOS locks the device.
    @Test("locks its screen at the gesture for emergencies")
    func emergency() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.requireCredential(.emergencyGesture)
        #expect(phone.device.lifeState.isLocked)
        await #expect(throws: GateFailure.strongAuthenticationDue(.emergencyGesture)) {
            _ = try await phone.device.unlockByBiometrics()
        }
        _ = try await phone.device.unlock(correctly: true)
        #expect(await phone.device.verifyUser(.biometrics).cause == nil)
    }

    /// `SecAccessControlCreateFlags` has no time; `LAContext` reuses an unlock of the device alone.
    @Test("has no Keychain items with a validity")
    func noValidity() async throws {
        let phone = try Device("iphone-face-id")
        await #expect(throws: DeviceRefusal.self) {
            try await phone.storage.store(
                [1], as: "token", protection: Protection(.biometryOrPasscode, validitySeconds: 60))
        }
        #expect(phone.storage.ids.isEmpty)
    }

    /// Microsoft Learn, UserConsentVerifier.
    @Test("takes the PIN for an app's consent, with a sensor and without one", arguments: ["-face", "-pin"])
    func consent(kind: String) async throws {
        let computer = try Device("windows-hello" + kind)
        computer.person.willDo(kind == "-face" ? [.fallback, .passcode(correct: true)] : [.passcode(correct: true)])
        #expect(await computer.device.verifyUser(.biometrics).cause == nil)
    }

    /// Microsoft Learn, Windows Hello for Business FAQ.
    @Test("asks for the challenge phrase after three wrong PINs and for a restart after the fourth")
    func challengePhrase() async throws {
        let computer = try Device("windows-hello-pin")
        let wrong = GateAct.passcode(correct: false)
        computer.person.willDo([wrong, wrong, wrong, .challengePhrase, wrong])
        #expect(await computer.device.verifyUser(.passcode).cause == "credentialNeedsRestart")
        #expect(await computer.device.verifyUser(.passcode).cause == "credentialNeedsRestart")
        await computer.device.authenticator.powerCycle()
        computer.person.willDo([.passcode(correct: true)])
        #expect(await computer.device.verifyUser(.passcode).cause == nil)
    }

    /// Microsoft Learn, TPM fundamentals, "Anti-hammering".
    @Test("forgives one of a TPM's 32 failures every ten minutes")
    func hammering() async throws {
        let computer = try Device("windows-hello-pin")
        func fail(_ expected: GateFailure) async {
            await #expect(throws: expected) { _ = try await computer.device.unlock(correctly: false) }
        }
        for failures in 1...31 {
            await fail(failures.isMultiple(of: 4) ? .credentialNeedsRestart : .wrongCredential)
            if failures.isMultiple(of: 4) { await computer.device.authenticator.powerCycle() }
        }
        let end = computer.clock.now() + .seconds(600)
        await fail(.credentialLockedOut(until: end))
        computer.clock.advance(to: end)
        await computer.device.authenticator.powerCycle()
        _ = try await computer.device.unlock(correctly: true)
    }
}
