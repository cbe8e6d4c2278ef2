import Biometrics
import Causes
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// Changes to a device's sensors and lock screen outside any prompt.
@Suite("Sensors and lock screen of a device")
struct DeviceGateTests {
    static let app = PromptOptions(allowsDeviceCredential: false)
    static let unlock = PromptOptions(allowsDeviceCredential: true, purpose: .unlock)

    static func two() throws -> SimulatedDevice { try SensorsInProfilesTests.device([]).0 }

    static func enrolled(_ device: SimulatedDevice) async -> [[String]]? {
        await device.authenticator.snapshot().gate?.sensors.map { $0.templates.map(\.name) }
    }

    @Test func templatesAreEnrolledReplacedAndRemovedAtTheNamedSensor() async throws {
        let device = try Self.two()
        try await device.enrol("twin", on: .face)
        try await device.enrol("left thumb")
        #expect(await Self.enrolled(device) == [["right index finger", "left thumb"], ["owner", "twin"]])
        try await device.replaceTemplate(named: "owner", with: "owner with glasses")
        #expect(
            await Self.enrolled(device) == [["right index finger", "left thumb"], ["owner with glasses", "twin"]])
        try await device.removeTemplate(named: "twin")
        try await device.removeTemplate(named: "left thumb", on: .fingerprint)
        #expect(await Self.enrolled(device) == [["right index finger"], ["owner with glasses"]])
        await #expect(throws: GateError.self) { try await device.removeTemplate(named: "unknown") }
        await #expect(throws: GateError.self) { try await device.replaceTemplate(named: "unknown", with: "x") }
        await #expect(throws: GateError.sensorAbsent) { try await device.enrol("voice", on: .voice) }
        await device.removeAllTemplates()
        #expect(await Self.enrolled(device) == [[], []])
    }

    @Test func oneSensorIsLockedOrBrokenAlone() async throws {
        let device = try Self.two()
        await device.lockOut(.face)
        let locked = await device.authenticator.snapshot().gate
        #expect(locked?.lockout(of: .face, at: .zero) == .permanent)
        #expect(locked?.lockout(of: .fingerprint, at: .zero) == Lockout.none)
        await device.setSensor(.busy, on: .fingerprint)
        #expect(await device.authenticator.verifyUser(Self.app) == .refused(.lockedOutPermanently))
        _ = try await device.unlock(correctly: true)
        #expect(await device.authenticator.verifyUser(Self.app)?.cause == "verified.biometric")
    }

    @Test func aRestartedPhoneDemandsItsCredentialFirst() async throws {
        for name in ["iphone-face-id", "iphone-touch-id", "pixel-fingerprint"] {
            let phone = try Device(name)
            await phone.device.authenticator.powerCycle()
            let refusal = UserVerificationResult.refused(.strongAuthenticationDue(.restart))
            #expect(await phone.device.authenticator.verifyUser(Self.app) == refusal)
            phone.person.willDo([.passcode(correct: true)])
            #expect(await phone.device.authenticator.verifyUser(Self.unlock) == .verified(.deviceCredential))
            #expect(await phone.device.authenticator.verifyUser(Self.app)?.cause == "verified.biometric")
        }
    }

    @Test func aPhoneThatErasesItselfKeepsNothing() async throws {
        let path = PackageRoot.url.appending(path: "profiles/iphone-face-id.yaml").path
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacingOccurrences(of: "permanently: disabled", with: "permanently: erased")
        let phone = try Device(DeviceProfile(parsing: text, file: path))
        try await phone.register()
        try await phone.device.secureStorage.store([1], as: "open", protection: .init(.none))
        try await phone.device.secureStorage.store([2], as: "guarded", protection: .init(.passcode))
        for _ in 0..<10 {
            phone.clock.advance(by: .seconds(3600))
            await #expect(throws: GateFailure.self) { _ = try await phone.device.unlock(correctly: false) }
        }
        let gate = try #require(await phone.device.authenticator.gate)
        #expect(gate.deviceCredential == nil)
        #expect(gate.sensor?.templates.isEmpty == true)
        #expect(await phone.device.authenticator.snapshot().credentials.isEmpty)
        #expect(phone.device.secureStorage.ids.isEmpty)
        #expect(phone.device.lifeState.apps["app"]?.label == "killed")
        let erased = phone.device.log.all.contains { event in
            if case .device(let event) = event.kind { event.kind == .erased } else { false }
        }
        #expect(erased)
        // A new passcode restores nothing.
        try await phone.device.changePasscode(.set)
        try await phone.device.perform(.launch)
        #expect(await phone.device.secureStorage.read("guarded") == .failure(.itemMissing))
    }

    @Test func theCredentialIsSetAndRemoved() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.device.requireCredential(.remoteLock)
        try await phone.device.changePasscode(.remove)
        let both = PromptOptions(allowsDeviceCredential: true)
        #expect(await phone.device.authenticator.verifyUser(both)?.cause == "noDeviceCredential")
        try await phone.device.changePasscode(.set)
        #expect(await phone.device.authenticator.snapshot().gate?.deviceCredential?.kind == .passcode)
        #expect(await phone.device.authenticator.verifyUser(both)?.cause == "verified.biometric")
    }

    @Test func anIPhoneDemandsItsPasscodeAfterTwoDaysWithoutUse() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.register()
        phone.clock.advance(by: .seconds(48 * 3600))
        #expect(await phone.device.authenticator.verifyUser(Self.app)?.cause == "strongAuthDue")
        // A passkey's prompt continues with the passcode.
        phone.person.willDo([.passcode(correct: true)])
        #expect(try await phone.signIn() == .ok)
        #expect(phone.person.remainingActs.isEmpty)
    }

    // MARK: A user with instructions

    @Test func aUserToldToShowTheirFaceConfirmsIt() async throws {
        let scene = try ControlledUserTests.Scene(
            .ask, profile: SensorsInProfilesTests.profile(SensorsInProfilesTests.good))
        async let answer = scene.verify()
        _ = await scene.prompt()
        #expect(await scene.person.openPrompt?.asksFor == "fingerprint or face")
        await scene.person.tell(try #require(UserAct(word: "match:face")))
        _ = await scene.prompt()
        #expect(await scene.person.openPrompt?.asksFor == "confirmation")
        await scene.person.tell(.gate(.confirm))
        #expect(await answer == .verified(.biometric(.face, templateID: [1])))
    }

    @Test(arguments: ["confirm", "decline-confirmation", nil])
    func anAutomaticUserConfirmsByDefault(word: String?) async throws {
        let scene = try ControlledUserTests.Scene(
            .auto, profile: SensorsInProfilesTests.profile(SensorsInProfilesTests.good))
        for word in ["match:face", word].compactMap({ $0 }) {
            await scene.person.tell(try #require(UserAct(word: word)))
        }
        #expect(
            await scene.verify()?.cause
                == (word == "decline-confirmation" ? "confirmationDeclined" : "verified.biometric"))
        #expect(await scene.person.plannedActs.isEmpty)
    }
}
