import Biometrics
import Causes
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

private typealias Protection = SecureStorage.Protection

/// An item's protection: access, accessibility, time and the events that destroy its key.
@Suite("Protection of items")
struct SecretProtectionTests {
    static let secret: [UInt8] = [1, 2, 3]
    static let phones = ["iphone-face-id", "iphone-touch-id", "pixel-fingerprint"]

    private static func phone(_ profile: String, _ protection: Protection) async throws -> Device {
        let phone = try Device(profile)
        try await phone.storage.store(secret, as: "item", protection: protection)
        return phone
    }

    // MARK: Access

    @Test("An item without access control opens without a prompt", arguments: phones)
    func noAccessControl(profile: String) async throws {
        let phone = try await Self.phone(profile, Protection(.none))
        #expect(await phone.storage.read("item") == .success(Self.secret))
        #expect(phone.person.verificationPrompts == 0)
    }

    @Test("The passcode opens the items that admit it, on every phone", arguments: phones)
    func passcodeStandsIn(profile: String) async throws {
        let phone = try await Self.phone(profile, Protection(.biometryOrPasscode))
        await phone.device.setSensor(.failed)
        phone.person.willDo([.passcode(correct: false), .passcode(correct: true)])
        #expect(await phone.storage.read("item") == .success(Self.secret))
        #expect(phone.person.verificationPrompts == 2)
    }

    @Test("A passcode item never asks for a face", arguments: phones)
    func passcodeOnly(profile: String) async throws {
        let phone = try await Self.phone(profile, Protection(.passcode))
        // A passcode field ignores samples.
        phone.person.willDo([.match(), .passcode(correct: true)])
        #expect(await phone.storage.read("item") == .success(Self.secret))
        #expect(await phone.failures() == 0)
        phone.person.willDo([.cancelByUser])
        #expect(await phone.storage.read("item").cause == "userCancelled")
    }

    @Test("The credential that protects an item must exist when the item is stored")
    func storingNeedsItsGuard() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.changePasscode(.remove)
        for protection in [
            Protection(.passcode), Protection(.biometryOrPasscode), Protection(.none, .whenPasscodeSet),
        ] {
            await #expect(throws: GateFailure.noDeviceCredential) {
                try await phone.storage.store([1], as: "a", protection: protection)
            }
        }
        await phone.device.removeAllTemplates()
        await #expect(throws: GateFailure.notEnrolled) {
            try await phone.storage.store([1], as: "a", protection: Protection(.anyBiometry))
        }
        try await phone.storage.store([1], as: "a", protection: Protection(.none))
        #expect(phone.storage.ids.map(\.description) == ["a"])
    }

    @Test("A biometric below class 3 cannot protect a key", arguments: [StrengthClass.class1, .class2])
    func weakBiometrics(_ strength: StrengthClass) async throws {
        let phone = try Device("pixel-fingerprint")
        await #expect(throws: DeviceRefusal.strengthInsufficient) {
            try await phone.storage.store([1], as: "a", protection: Protection(.currentSet, strength: strength))
        }
        let weak = try Device(
            "pixel-fingerprint", replacing: "class: 3", with: "class: \(strength.rawValue)")
        for access in [SecureStorage.Access.currentSet, .anyBiometry] {
            await #expect(throws: DeviceRefusal.strengthInsufficient) {
                try await weak.storage.store([1], as: "a", protection: Protection(access))
            }
        }
        // Where the passcode is allowed, the prompt asks for it.
        try await weak.storage.store([1], as: "a", protection: Protection(.biometryOrPasscode))
        weak.person.willDo([.passcode(correct: true)])
        #expect(await weak.storage.read("a") == .success([1]))
        // A prompt that releases no key accepts class 2; class 1 is never available to apps.
        #expect(await weak.device.verifyUser(.biometrics).cause == (strength == .class2 ? nil : "strengthInsufficient"))
    }

    // MARK: Accessibility

    /// The result of a read while the screen is locked, and before the first unlock.
    static let reach: [(SecureStorage.Accessibility, locked: Cause?, restarted: Cause?)] = [
        (.whenUnlocked, "deviceLocked", "beforeFirstUnlock"),
        (.afterFirstUnlock, nil, "beforeFirstUnlock"),
        (.whenPasscodeSet, "deviceLocked", "beforeFirstUnlock"),
        (.always, nil, nil),
    ]

    @Test("A locked screen closes items by their accessibility", arguments: reach)
    func locked(accessibility: SecureStorage.Accessibility, locked: Cause?, restarted: Cause?) async throws {
        let phone = try await Self.phone("iphone-touch-id", Protection(.none, accessibility))
        try await phone.device.lock()
        #expect(await phone.storage.check("item") == locked)
        _ = try await phone.device.unlock(correctly: true)
        #expect(await phone.storage.check("item") == nil)
        try await phone.device.reboot()
        #expect(await phone.storage.check("item") == "appNotRunning")
        // The system wakes the app behind the locked screen, for a notification.
        try await phone.device.perform(.wake)
        #expect(await phone.storage.check("item") == restarted)
        _ = try await phone.device.unlock(correctly: true)
        try await phone.device.perform(.launch)
        #expect(await phone.storage.read("item") == .success(Self.secret))
    }

    @Test("Apps can read items on a locked phone without a passcode")
    func swipe() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.device.changePasscode(.remove)
        try await phone.storage.store([1], as: "item", protection: Protection(.none))
        try await phone.device.lock()
        #expect(await phone.storage.read("item") == .success([1]))
        _ = try await phone.device.unlock(correctly: true)
        #expect(phone.device.lifeState.isLocked == false)
    }

    // MARK: Time

    @Test("An item needs no prompt within its validity after a verification, and needs one afterwards")
    func timeBound() async throws {
        let phone = try await Self.phone("pixel-fingerprint", Protection(.biometryOrPasscode, validitySeconds: 60))
        #expect(await phone.storage.read("item") == .failure(.userNotAuthenticated))
        #expect(phone.person.verificationPrompts == 0)
        #expect(await phone.device.verifyUser(.biometrics).cause == nil)
        phone.clock.advance(by: .seconds(60))
        #expect(await phone.storage.read("item") == .success(Self.secret))
        phone.clock.advance(by: .milliseconds(1))
        #expect(await phone.storage.read("item").cause == "userNotAuthenticated")
        #expect(phone.person.verificationPrompts == 1)
        // Unlocking the screen is a verification like any other.
        try await phone.device.lock()
        _ = try await phone.device.unlock(correctly: true)
        #expect(await phone.storage.read("item") == .success(Self.secret))
        // A power cycle ends the time.
        try await phone.device.reboot()
        try await phone.unlockAgain()
        phone.clock.advance(by: .seconds(61))
        #expect(await phone.storage.read("item").cause == "userNotAuthenticated")
    }

    @Test("Only an allowed verification starts an item's time")
    func timeBoundByKind() async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.storage.store([1], as: "finger", protection: Protection(.anyBiometry, validitySeconds: 60))
        try await phone.storage.store([2], as: "code", protection: Protection(.passcode, validitySeconds: 60))
        #expect(await phone.device.verifyUser(.passcode).cause == nil)
        #expect(await phone.storage.read("finger").cause == "userNotAuthenticated")
        #expect(await phone.storage.read("code") == .success([2]))
        phone.clock.advance(by: .seconds(61))
        #expect(await phone.device.verifyUser(.biometrics).cause == nil)
        #expect(await phone.storage.read("finger") == .success([1]))
        #expect(await phone.storage.read("code").cause == "userNotAuthenticated")
    }

    @Test("A mismatch does not start the validity")
    func mismatchDoesNotCount() async throws {
        let phone = try await Self.phone("pixel-fingerprint", Protection(.anyBiometry, validitySeconds: 60))
        phone.person.willDo([.nonMatch, .cancelByUser])
        #expect(await phone.device.verifyUser(.biometrics).cause == "userCancelled")
        #expect(await phone.storage.read("item").cause == "userNotAuthenticated")
    }

    // MARK: Destruction of keys

    private enum Event: CaseIterable {
        case enrol, removePasscode, forceReset
    }

    /// The keys that each event destroys, by platform: Apple's access control and Android's KeyGenParameterSpec.
    static let deaths: [(profile: String, SecureStorage.Access, SecureStorage.Accessibility, dies: [Bool])] = [
        ("iphone-touch-id", .none, .whenUnlocked, [false, false, false]),
        ("iphone-touch-id", .currentSet, .whenUnlocked, [true, true, true]),
        ("iphone-touch-id", .anyBiometry, .whenUnlocked, [false, false, false]),
        ("iphone-touch-id", .biometryOrPasscode, .whenUnlocked, [false, false, false]),
        ("iphone-touch-id", .passcode, .whenUnlocked, [false, false, false]),
        ("iphone-touch-id", .none, .whenPasscodeSet, [false, true, true]),
        ("pixel-fingerprint", .none, .whenUnlocked, [false, false, false]),
        ("pixel-fingerprint", .currentSet, .whenUnlocked, [true, true, true]),
        ("pixel-fingerprint", .anyBiometry, .whenUnlocked, [false, true, true]),
        ("pixel-fingerprint", .biometryOrPasscode, .whenUnlocked, [false, true, true]),
        ("pixel-fingerprint", .passcode, .whenUnlocked, [false, true, true]),
    ]

    @Test("The device's events destroy the keys that are bound to them, and the app is told", arguments: deaths)
    func destroyed(
        profile: String, access: SecureStorage.Access, accessibility: SecureStorage.Accessibility, dies: [Bool]
    ) async throws {
        for (event, dies) in zip(Event.allCases, dies) {
            let phone = try await Self.phone(profile, Protection(access, accessibility))
            switch event {
            case .enrol: try await phone.device.enrol("stranger")
            case .removePasscode: try await phone.device.changePasscode(.remove)
            case .forceReset: try await phone.device.changePasscode(.forceReset)
            }
            let keys = try await phone.device.exportState().vault.count
            #expect(keys == (dies ? 0 : 1), "\(event)")
            #expect(await phone.storage.check("item") == (dies ? "keyInvalidated" : nil), "\(event)")
            // Android tells it at every use, until the key is deleted.
            let again: Cause = profile == "pixel-fingerprint" ? "keyInvalidated" : "itemMissing"
            #expect(await phone.storage.check("item") == (dies ? again : nil), "\(event)")
            #expect(phone.person.verificationPrompts == 0)
        }
    }

    @Test("Changing the passcode destroys nothing", arguments: phones)
    func changedPasscode(profile: String) async throws {
        let phone = try await Self.phone(profile, Protection(.biometryOrPasscode, .whenPasscodeSet))
        try await phone.device.changePasscode(.set)
        #expect(await phone.storage.read("item") == .success(Self.secret))
    }

    @Test("On Apple a passcode item stays closed until a new passcode is set")
    func closedWithoutPasscode() async throws {
        let phone = try await Self.phone("iphone-face-id", Protection(.passcode))
        try await phone.device.changePasscode(.remove)
        #expect(await phone.storage.read("item").cause == "noDeviceCredential")
        try await phone.device.changePasscode(.set)
        #expect(await phone.storage.read("item") == .success(Self.secret))
    }

    @Test("The domain state changes with every change of the templates, and with nothing else")
    func domainState() async throws {
        let phone = try Device("iphone-touch-id")
        let first = try #require(await phone.device.authenticator.gate?.domainState)
        #expect(first.count == 32)
        _ = await phone.device.verifyUser(.biometrics)
        try await phone.device.changePasscode(.set)
        #expect(await phone.device.authenticator.gate?.domainState == first)
        try await phone.device.enrol("thumb")
        let second = await phone.device.authenticator.gate?.domainState
        #expect(second != first)
        try await phone.device.removeTemplate(named: "thumb")
        let third = await phone.device.authenticator.gate?.domainState
        #expect(third != first && third != second)
        await phone.device.removeAllTemplates()
        #expect(await phone.device.authenticator.gate?.domainState == nil)
    }
}

extension Device {
    /// Unlocks a phone that was restarted, and opens the app.
    func unlockAgain() async throws {
        _ = try await device.unlock(correctly: true)
        try await device.perform(.launch)
    }
}
