import Biometrics
import Causes
import DeviceProfiles
import PlatformErrors
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

private typealias Protection = SecureStorage.Protection

/// Rules of Android, from AOSP's sources, the Android reference and Google's help on passkeys.
@Suite("An Android phone")
struct AndroidPhoneTests {
    /// Google's help on passkeys: fingerprint, face, PIN, pattern or password.
    @Test("verifies for a passkey with the screen lock, with a finger enrolled and without one")
    func screenLockVerifies() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register()
        phone.person.willDo([.fallback, .passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        await phone.device.removeAllTemplates()
        phone.person.willDo([.passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
    }

    /// Google's help on passkeys, and AOSP `LockoutFrameworkImpl`.
    @Test("asks a passkey's user for the screen lock when failures lock the sensor")
    func lockedSensor() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register()
        phone.person.willDo([GateAct](repeating: .nonMatch, count: 5) + [.passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        #expect(await phone.failures() == 0)
    }

    /// AOSP `AuthController.cancelIfOwnerIsNotInForeground`.
    @Test("reports the user's cancellation to an app that leaves the screen", arguments: [true, false])
    func leavesTheScreen(byLocking: Bool) async throws {
        let person = ControlledUser(habit: .ask, waitUntil: { _ in await LifeTests.forever() })
        let device = try SimulatedDevice(
            profile: Shop.library.profile("pixel-fingerprint"), time: SimulatedClock(),
            random: SeededRandomSource(seed: 1), user: person)
        let verification = Task { await device.verifyUser(.biometrics).cause }
        while await person.openPrompt == nil { await Task.yield() }
        if byLocking { try await device.lock() } else { _ = try await device.perform(.background) }
        let cause = try #require(await verification.value)
        #expect(cause == "appLeftScreen")
        let errors = device.profile.platformErrors.errors(of: cause, during: .verify)
        #expect(errors.contains { $0.interface == "biometric-prompt" && $0.code == 10 })
    }

    /// AOSP GateKeeper, `ComputeRetryTimeout`.
    private static func delay(after failures: Int) -> Duration? {
        switch failures {
        case ...4, 6...9: nil
        case 5, 10..<40: .seconds(30)
        case ..<140: Duration.seconds(30) * (1 << ((failures - 30) / 10))
        default: .seconds(86_400)
        }
    }

    @Test("delays the screen lock after wrong entries as GateKeeper does: for a day from the 140th on")
    func gateKeeper() async throws {
        let phone = try Device("pixel-fingerprint")
        for failures in 1...150 {
            await #expect(throws: GateFailure.self) { _ = try await phone.device.unlock(correctly: false) }
            let end = await phone.device.authenticator.gate?.deviceCredential?.lockedUntil
            #expect(end.map { $0 - phone.clock.now() } == Self.delay(after: failures), "\(failures)")
            if let end { phone.clock.advance(to: end) }
        }
        _ = try await phone.device.unlock(correctly: true)
        #expect(await phone.device.authenticator.gate?.deviceCredential?.failedAttempts == 0)
    }

    /// AOSP Settings, `ChooseLockGeneric` and `removeBiometricsForUser`.
    @Test("loses its fingers with the screen lock, and needs one to enrol and for keys with authentication")
    func withoutScreenLock() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.device.changePasscode(.remove)
        #expect(await phone.device.authenticator.gate?.sensor?.templates.isEmpty == true)
        await #expect(throws: GateError.noDeviceCredential) { try await phone.device.enrol("thumb") }
        for access in [SecureStorage.Access.currentSet, .anyBiometry, .biometryOrPasscode, .passcode] {
            await #expect(throws: GateFailure.noDeviceCredential) {
                try await phone.storage.store([1], as: "key", protection: Protection(access))
            }
        }
        try await phone.device.changePasscode(.set)
        try await phone.device.enrol("thumb")
        try await phone.storage.store([1], as: "key", protection: Protection(.currentSet))
        // An administrator's reset keeps the fingers.
        try await phone.device.changePasscode(.forceReset)
        #expect(await phone.device.authenticator.gate?.sensor?.templates.map(\.name) == ["thumb"])
    }

    /// The Android reference, `KeyPermanentlyInvalidatedException`.
    @Test("reports a destroyed key at every use until the app deletes its alias")
    func destroyedKey() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.storage.store([1], as: "key", protection: Protection(.currentSet))
        try await phone.device.enrol("thumb")
        for _ in 1...3 { #expect(await phone.storage.read("key") == .failure(.keyInvalidated)) }
        #expect(phone.storage.ids == [SecretID("key")])
        try phone.storage.remove("key")
        #expect(await phone.storage.read("key") == .failure(.itemMissing))
        try await phone.storage.store([2], as: "key", protection: Protection(.currentSet))
        #expect(await phone.storage.read("key") == .success([2]))
    }

    /// AOSP `PreAuthInfo` and `LockSettingsStrongAuth`.
    @Test("asks for the screen lock after 72 hours at the lock screen and not in an app's prompt")
    func strongAuthentication() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register()
        phone.clock.advance(by: .seconds(72 * 3600))
        #expect(await phone.device.verifyUser(.biometrics).cause == nil)
        #expect(try await phone.signIn() == .ok)
        try await phone.device.lock()
        await #expect(throws: GateFailure.strongAuthenticationDue(.time)) {
            _ = try await phone.device.unlockByBiometrics()
        }
        _ = try await phone.device.unlock(correctly: true)
        try await phone.device.lock()
        _ = try await phone.device.unlockByBiometrics()
    }

    /// `KeyGenParameterSpec.Builder.setUnlockedDeviceRequired`.
    @Test("lets keys work behind a locked screen unless they require an unlocked device")
    func lockedScreen() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.storage.store([1], as: "usual", protection: Protection(.none))
        try await phone.storage.store([2], as: "unlocked", protection: Protection(.none, .whenUnlocked))
        try await phone.device.lock()
        #expect(await phone.storage.read("usual") == .success([1]))
        #expect(await phone.storage.read("unlocked") == .failure(.deviceLocked))
        let iphone = try Device("iphone-face-id")
        try await iphone.storage.store([1], as: "usual", protection: Protection(.none))
        try await iphone.device.lock()
        #expect(await iphone.storage.read("usual") == .failure(.deviceLocked))
    }

    /// AOSP SystemUI, `AuthContainerView`: `onTryAgainPressed`, `handleAuthenticationTimedOut`.
    @Test("pauses a face prompt after a failure until the user tries again, and ends it when the user stays away")
    func pausedFace() async throws {
        let phone = try Device("pixel-face-class-3")
        phone.person.willDo([.nonMatch, .tryAgain, .match(), .confirm])
        #expect(await phone.device.verifyUser(.biometrics).cause == nil)
        phone.person.willDo([.noAnswer, .noAnswer])
        let before = phone.clock.now()
        #expect(await phone.device.verifyUser(.biometrics).cause == "timedOut")
        #expect(phone.clock.now() - before == .seconds(60))
    }
}
