import Biometrics
import CTAP
import Causes
import PlatformErrors
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// LAContext, BiometricPrompt and the questions an app asks without a prompt.
@Suite("Verification of the user by apps")
struct AppVerificationTests {
    private static func prompt(
        _ allowed: AppVerification = .biometrics, _ edit: (inout AppPrompt) -> Void = { _ in }
    ) -> AppPrompt {
        var prompt = AppPrompt(allowed)
        edit(&prompt)
        return prompt
    }

    private static let context = prompt { $0.context = "login" }

    @Test("A verified context needs no further prompt until its app invalidates it or ends")
    func contexts() async throws {
        let phone = try Device("iphone-face-id")
        #expect(await phone.device.verifyUser(Self.context).cause == nil)
        #expect(await phone.device.verifyUser(Self.context).cause == nil)
        #expect(phone.person.verificationPrompts == 1)
        #expect(try await !phone.device.invalidateContext("unknown"))
        #expect(try await phone.device.invalidateContext("login"))
        #expect(try await !phone.device.invalidateContext("login"))
        #expect(await phone.device.verifyUser(Self.context).cause == .contextInvalid)
        #expect(await phone.device.verifyUser(Self.prompt { $0.context = "other" }).cause == nil)
        try await phone.device.perform(.kill)
        try await phone.device.perform(.launch)
        #expect(await phone.device.verifyUser(Self.context).cause == nil)
        #expect(phone.person.verificationPrompts == 3)
    }

    @Test("A context opens the items that admit its method")
    func contextsOpenItems() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.storage.store([1], as: "face", protection: .init(.anyBiometry))
        try await phone.storage.store([2], as: "code", protection: .init(.passcode))
        #expect(await phone.device.verifyUser(Self.context).cause == nil)
        var use = SecretUse()
        use.context = "login"
        use.allowsInteraction = false
        #expect(await phone.storage.read("face", with: use) == .success([1]))
        #expect(await phone.storage.read("code", with: use) == .failure(.uiUnavailable))
        #expect(phone.person.verificationPrompts == 1)
    }

    @Test("An unlock with the sensor replaces a prompt within the reuse duration, an unlock with the passcode never")
    func reuse() async throws {
        let phone = try Device("iphone-touch-id")
        let reusing = Self.prompt {
            $0.reuseSeconds = 10
            $0.allowsInteraction = false
        }
        #expect(await phone.device.verifyUser(reusing).cause == .uiUnavailable)
        try await phone.device.lock()
        _ = try await phone.device.unlockByBiometrics()
        phone.clock.advance(by: .seconds(9))
        #expect(await phone.device.verifyUser(reusing).cause == nil)
        phone.clock.advance(by: .seconds(1))
        #expect(await phone.device.verifyUser(reusing).cause == .uiUnavailable)
        try await phone.device.lock()
        _ = try await phone.device.unlock(correctly: true)
        #expect(await phone.device.verifyUser(reusing).cause == .uiUnavailable)
    }

    @Test("A prompt without a fallback button ignores the fallback", arguments: [true, false])
    func fallbackButton(isOffered: Bool) async throws {
        let phone = try Device("iphone-touch-id")
        phone.person.willDo([.nonMatch, .fallback, .cancelByUser])
        let result = await phone.device.verifyUser(Self.prompt { $0.offersFallback = isOffered })
        #expect(result.cause == (isOffered ? .fallbackChosen : .userCancelled))
    }

    @Test("Only an Apple device has contexts, only Android Identity Check")
    func platforms() async throws {
        let pixel = try Device("pixel-fingerprint")
        #expect(await pixel.device.verifyUser(Self.context).cause == .notOnThisPlatform)
        await #expect(throws: DeviceRefusal.self) { _ = try await pixel.device.invalidateContext("login") }
        await #expect(throws: DeviceRefusal.self) { _ = try await pixel.device.isLockedOut() }
        await #expect(throws: DeviceRefusal.self) { _ = try await pixel.device.compareEnrolment() }
        let iphone = try Device("iphone-face-id")
        #expect(
            await iphone.device.verifyUser(Self.prompt { $0.demandsIdentityCheck = true }).cause == .notOnThisPlatform)
    }

    @Test("The check before a prompt gives the cause of the prompt, and shows none")
    func checks() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.checkVerification(AppPrompt())
        await phone.device.lockOut()
        #expect(try await phone.device.isLockedOut())
        await #expect(throws: DeviceRefusal.self) { try await phone.device.checkVerification(AppPrompt()) }
        try await phone.device.checkVerification(AppPrompt(.biometricsOrPasscode))
        await phone.device.removeAllTemplates()
        try await phone.device.lock()
        _ = try await phone.device.unlock(correctly: true)
        let error = await #expect(throws: DeviceRefusal.self) { try await phone.device.checkVerification(AppPrompt()) }
        #expect(error?.cause == .notEnrolled)
        #expect(phone.person.verificationPrompts == 0)
    }

    @Test(
        "canAuthenticate answers success to a lockout, except in the newest framework",
        arguments: ["success", "lockout"])
    func lockoutCheck(variant: String) async throws {
        let name = "pixel-fingerprint"
        let phone =
            try variant == "success"
            ? Device(name)
            : Device(name, replacing: "\nauthenticator:", with: "\nfaces:\n  lockout-check: lockout\n\nauthenticator:")
        await phone.device.lockOut()
        if variant == "success" {
            try await phone.device.checkVerification(AppPrompt())
        } else {
            await #expect(throws: DeviceRefusal.self) { try await phone.device.checkVerification(AppPrompt()) }
        }
        #expect(await phone.device.verifyUser(AppPrompt()).cause == .lockedOutPermanently)
    }

    @Test("An app sees that the templates changed since it last compared")
    func domainState() async throws {
        let phone = try Device("iphone-touch-id")
        #expect(try await phone.device.compareEnrolment() == .first)
        #expect(try await phone.device.compareEnrolment() == .same)
        try await phone.device.enrol("left thumb")
        #expect(try await phone.device.compareEnrolment() == .changed)
        #expect(try await phone.device.compareEnrolment() == .same)
        await phone.device.removeAllTemplates()
        #expect(try await phone.device.compareEnrolment() == .none)
    }

    /// LAContext, `evaluatedPolicyDomainState`: nil until canEvaluatePolicy or an evaluation succeeds.
    @Test(
        "The domain state is none while canEvaluatePolicy fails, and the kept one afterwards",
        arguments: [
            ("iphone-face-id", "lockout"), ("iphone-touch-id", "lockout"), ("macbook-touch-id", "lockout"),
            ("iphone-face-id", "permission"), ("iphone-face-id", "sensor"), ("macbook-touch-id", "sensor"),
            ("iphone-touch-id", "passcode"),
        ])
    func domainStateWithoutVerification(profile: String, trouble: String) async throws {
        let phone = try Device(profile)
        let device = phone.device
        #expect(try await device.compareEnrolment() == .first)
        #expect(await device.verifyUser(Self.prompt { $0.context = "old" }).cause == nil)
        phone.person.willDo([.passcode(correct: true)])
        #expect(await device.verifyUser(Self.prompt(.passcode) { $0.context = "passcode" }).cause == nil)
        switch trouble {
        case "lockout": await device.lockOut()
        case "permission": try await device.setPermission(false)
        case "sensor": await device.setSensor(.failed)
        default: try await device.changePasscode(.remove)
        }
        await #expect(throws: DeviceRefusal.self) { try await device.checkVerification(AppPrompt()) }
        #expect(try await device.compareEnrolment() == .none)
        #expect(try await device.compareEnrolment(context: "passcode") == .none)
        #expect(try await device.compareEnrolment(context: "old") == .same)
        switch trouble {
        case "lockout":
            try await device.lock()
            _ = try await device.unlock(correctly: true)
        case "permission": try await device.setPermission(true)
        case "sensor": await device.setSensor(.present)
        default: try await device.changePasscode(.set)
        }
        #expect(try await device.compareEnrolment() == .same)
        #expect(try await device.invalidateContext("old"))
        await #expect(throws: DeviceRefusal.self) { _ = try await device.compareEnrolment(context: "old") }
    }

    @Test("A denied app gets no face, and the passcode where it accepts one; other apps are not affected")
    func permission() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.setPermission(false)
        #expect(await phone.device.verifyUser(AppPrompt()).cause == .permissionDenied)
        phone.person.willDo([.passcode(correct: true)])
        #expect(await phone.device.verifyUser(AppPrompt(.biometricsOrPasscode)) == .success(.deviceCredential))
        try await phone.device.perform(.install, app: "mail")
        try await phone.device.perform(.launch, app: "mail")
        #expect(await phone.device.verifyUser(AppPrompt(), app: "mail").cause == nil)
        let touchID = try Device("iphone-touch-id")
        await #expect(throws: DeviceRefusal.self) { try await touchID.device.setPermission(false) }
    }
}

@Suite("Protection of a stolen device")
struct TheftProtectionTests {
    @Test("Away from familiar places a passkey accepts the sensor alone")
    func passkeys() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        try await phone.device.setTheftProtection(true)
        let mismatches = [GateAct.nonMatch, .nonMatch, .passcode(correct: true)]
        phone.person.willDo(mismatches)
        #expect(try await phone.signIn().status == .ok)
        try phone.device.move(to: .away)
        phone.person.willDo(mismatches)
        #expect(try await phone.signIn().status != .ok)
        try phone.device.move(to: .familiar)
        phone.person.willDo(mismatches)
        #expect(try await phone.signIn().status == .ok)
    }

    @Test("An iPad has none", arguments: ["ipad-face-id", "ipad-touch-id"])
    func iPads(profile: String) async throws {
        let tablet = try Device(profile)
        let error = await #expect(throws: DeviceRefusal.self) { try await tablet.device.setTheftProtection(true) }
        #expect(error?.cause == .notOnThisPlatform)
        #expect(error?.description.contains("\(profile) does not have a protection of stolen devices") == true)
    }

    @Test("A new passcode and a new face wait for an hour")
    func securityDelay() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.setTheftProtection(true)
        try phone.device.move(to: .away)
        let change = { try await phone.device.changePasscode(.set) }
        var error = await #expect(throws: DeviceRefusal.self) { try await change() }
        #expect(error?.cause == .securityDelay)
        phone.clock.advance(by: .seconds(3599))
        error = await #expect(throws: DeviceRefusal.self) {
            try await phone.device.replaceTemplate(named: "owner", with: "thief")
        }
        #expect(error?.cause == .securityDelay)
        phone.clock.advance(by: .seconds(1))
        phone.person.willDo([.nonMatch, .nonMatch, .giveUp])
        await #expect(throws: DeviceRefusal.self) { try await change() }
        try await change()
        await #expect(throws: DeviceRefusal.self) { try await phone.device.setTheftProtection(false) }
    }

    @Test("Identity Check is active away from familiar places only, where it refuses the screen lock")
    func identityCheck() async throws {
        let pixel = try Device("pixel-fingerprint")
        var prompt = AppPrompt(.biometricsOrPasscode)
        prompt.demandsIdentityCheck = true
        #expect(await pixel.device.verifyUser(prompt).cause == .identityCheckInactive)
        try await pixel.device.setTheftProtection(true)
        #expect(await pixel.device.verifyUser(prompt).cause == .identityCheckInactive)
        try pixel.device.move(to: .away)
        await pixel.device.setSensor(.failed)
        #expect(await pixel.device.verifyUser(prompt).cause == .sensorFailed)
    }
}
