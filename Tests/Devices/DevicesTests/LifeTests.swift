import Biometrics
import Causes
import DeviceProfiles
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@testable import DeviceActs

/// Apps, screen, power and network, and their effects on an app's items.
@Suite("The state of a device and its apps")
struct LifeTests {
    private static let phones = ["iphone-face-id", "pixel-fingerprint"]

    private static func phone(_ profile: String = "iphone-face-id") async throws -> Device {
        let phone = try Device(profile)
        try await phone.storage.store([1], as: "token", protection: .init(.currentSet))
        return phone
    }

    // MARK: Apps

    @Test("A killed app keeps its storage and loses everything else")
    func kill() async throws {
        let phone = try await Self.phone()
        try await phone.device.perform(.kill)
        #expect(phone.device.lifeState.apps["app"]?.label == "killed")
        #expect(await phone.storage.read("token") == .failure(.appNotRunning))
        #expect(await phone.device.verifyUser(.biometrics).cause == "appNotRunning")
        await #expect(throws: DeviceRefusal.appNotRunning) {
            try await phone.storage.store([2], as: "b", protection: .init(.currentSet))
        }
        await #expect(throws: DeviceRefusal.appNotRunning) { try await phone.device.perform(.resume) }
        try await phone.device.perform(.launch)
        #expect(await phone.storage.read("token") == .success([1]))
    }

    @Test("An app in the background reads unprotected items and cannot open a prompt")
    func background() async throws {
        let phone = try await Self.phone()
        try await phone.storage.store([2], as: "quiet", protection: .init(.none))
        try await phone.device.perform(.background)
        #expect(await phone.storage.read("token") == .failure(.appInBackground))
        #expect(await phone.storage.read("quiet") == .success([2]))
        #expect(phone.person.verificationPrompts == 0)
        phone.clock.advance(by: .seconds(300))
        let away = try await phone.device.perform(.resume)
        #expect(away == .seconds(300))
        #expect(await phone.storage.read("token") == .success([1]))
    }

    @Test("One app has the screen at a time, and each has its own items")
    func apps() async throws {
        let phone = try await Self.phone()
        await #expect(throws: DeviceRefusal.notInstalled("mail")) {
            try await phone.device.perform(.launch, app: "mail")
        }
        try await phone.device.perform(.install, app: "mail")
        try await phone.device.perform(.launch, app: "mail")
        #expect(phone.device.lifeState.foregroundApp == "mail")
        #expect(phone.device.lifeState.apps["app"]?.label == "background")
        #expect(await phone.storage.read("token", app: "mail") == .failure(.itemMissing))
        try await phone.storage.store([9], as: "token", app: "mail", protection: .init(.none))
        #expect(phone.storage.ids.map(\.description) == ["token", "mail/token"])
        try phone.storage.remove("token", app: "mail")
        #expect(phone.storage.ids.map(\.description) == ["token"])
    }

    @Test("Keychain items outlive their app, Android's keys do not", arguments: phones)
    func reinstall(profile: String) async throws {
        let phone = try await Self.phone(profile)
        try await phone.device.perform(.uninstall)
        #expect(phone.device.lifeState.apps["app"]?.label == "absent")
        #expect(await phone.storage.read("token").cause == "appNotRunning")
        try await phone.device.perform(.reinstall)
        try await phone.device.perform(.launch)
        let survives = profile == "iphone-face-id"
        #expect(await phone.storage.read("token") == (survives ? .success([1]) : .failure(.itemMissing)))
    }

    @Test("Only Android's settings clear an app's data")
    func clearData() async throws {
        let pixel = try await Self.phone("pixel-fingerprint")
        try await pixel.device.perform(.clearData)
        #expect(pixel.storage.ids.isEmpty)
        let iphone = try await Self.phone()
        await #expect(throws: DeviceRefusal.self) { try await iphone.device.perform(.clearData) }
        #expect(await iphone.storage.read("token") == .success([1]))
    }

    // MARK: During a prompt

    private enum Interruption: CaseIterable {
        case background, otherApp, otherAppAgain, kill, lock, reboot, uninstall
    }

    @Test(
        "An event during a prompt ends it",
        arguments: zip(
            Interruption.allCases,
            [
                "systemCancelled", "systemCancelled", "systemCancelled", "appCancelled", "systemCancelled",
                "appCancelled", "appCancelled",
            ]))
    private func interruptions(what: Interruption, cause: String) async throws {
        let clock = SimulatedClock()
        let person = ControlledUser(habit: .ask, waitUntil: { _ in await Self.forever() })
        let device = try SimulatedDevice(
            profile: try Shop.library.profile("iphone-face-id"), time: clock, random: SeededRandomSource(seed: 1),
            user: person)
        try await device.secureStorage.store([1], as: "token", protection: .init(.currentSet))
        try await device.perform(.install, app: "other")
        try await device.perform(.wake, app: "other")
        let reading = Task { await device.secureStorage.read("token") }
        while await person.openPrompt == nil { await Task.yield() }
        switch what {
        case .background: try await device.perform(.background)
        case .otherApp: try await device.perform(.launch, app: "other")
        case .otherAppAgain: try await device.perform(.resume, app: "other")
        case .kill: try await device.perform(.kill)
        case .lock: try await device.lock()
        case .reboot: try await device.reboot()
        case .uninstall: try await device.perform(.uninstall)
        }
        let outcome = await reading.value
        #expect(outcome.cause == Cause(cause))
        #expect(await person.openPrompt == nil)
        // The gate is free again.
        #expect(await device.authenticator.gate?.stage == .idle)
    }

    @Test("A prompt continues with the passcode when its sensor breaks")
    func movedPrompt() async throws {
        let clock = SimulatedClock()
        let person = ControlledUser(habit: .ask, waitUntil: { _ in await Self.forever() })
        let device = try SimulatedDevice(
            profile: try Shop.library.profile("iphone-face-id"), time: clock, random: SeededRandomSource(seed: 1),
            user: person)
        let asking = Task { await device.verifyUser(.biometricsOrPasscode) }
        while await person.openPrompt?.asksFor != "face" { await Task.yield() }
        await device.setSensor(.absent)
        while await person.openPrompt?.asksFor != "passcode" { await Task.yield() }
        await person.tell(.gate(.passcode(correct: true)))
        #expect(await asking.value == .success(.deviceCredential))
    }

    @Test("No app sees the events of the lock screen")
    func lockScreen() async throws {
        let phone = try await Self.phone()
        await #expect(throws: GateFailure.wrongCredential) { _ = try await phone.device.unlock(correctly: false) }
        _ = try await phone.device.unlock(correctly: true)
        let told = phone.device.log.all.filter {
            guard case .gate(let move) = $0.kind, case .enterDeviceCredential = move.input else { return false }
            return true
        }.map { EventDescription($0, in: phone.device.profile.platformErrors) }
        #expect(told.map(\.cause) == ["wrongCredential", "verified.deviceCredential"])
        #expect(told.allSatisfy { $0.platformErrors == nil })
        let key = try Device("security-key-bio")
        await #expect(throws: DeviceRefusal.noScreen) { _ = try await key.device.unlock(correctly: true) }
    }

    static func forever() async {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
    }

    // MARK: Screen and power

    @Test("After a restart only the passcode unlocks the screen", arguments: phones)
    func restart(profile: String) async throws {
        let phone = try await Self.phone(profile)
        try await phone.device.reboot()
        #expect(phone.device.lifeState.isLocked)
        await #expect(throws: DeviceRefusal.beforeFirstUnlock) { try await phone.device.perform(.launch) }
        await #expect(throws: GateFailure.strongAuthenticationDue(.restart)) {
            _ = try await phone.device.unlockByBiometrics()
        }
        #expect(phone.person.verificationPrompts == 0)
        await #expect(throws: GateFailure.wrongCredential) { _ = try await phone.device.unlock(correctly: false) }
        #expect(phone.device.obstacleToCeremony() == "appNotRunning")
        try await phone.unlockAgain()
        #expect(await phone.storage.read("token") == .success([1]))
        #expect(phone.device.obstacleToCeremony() == nil)
        // After the first unlock the sensor unlocks it too.
        try await phone.device.lock()
        _ = try await phone.device.unlockByBiometrics()
        #expect(phone.device.lifeState.isLocked == false)
    }

    @Test("A lock sends the app to the background, and unlocking reports how long it was there")
    func lockAndUnlock() async throws {
        let phone = try await Self.phone()
        try await phone.device.lock()
        #expect(phone.device.lifeState.foregroundApp == nil)
        #expect(phone.device.obstacleToCeremony() == "deviceLocked")
        await #expect(throws: DeviceRefusal.deviceLocked) { try await phone.device.perform(.launch) }
        phone.clock.advance(by: .seconds(90))
        phone.person.willDo([.nonMatch, .nonMatch])
        await #expect(throws: GateFailure.attemptsExhausted) { _ = try await phone.device.unlockByBiometrics() }
        #expect(phone.device.lifeState.isLocked)
        let away = try await phone.device.unlockByBiometrics()
        #expect(away == .seconds(90))
        #expect(phone.device.lifeState.foregroundApp == "app")
    }

    @Test("A device offline verifies locally and refuses ceremonies with a relying party")
    func offline() async throws {
        let phone = try await Self.phone()
        try phone.device.setAirplaneMode(true)
        #expect(phone.device.obstacleToCeremony() == "offline")
        #expect(await phone.storage.read("token") == .success([1]))
        try phone.device.setAirplaneMode(false)
        #expect(phone.device.obstacleToCeremony() == nil)
    }

    @Test(
        "A security key has no screen, network or apps",
        arguments: [
            DeviceAct(LockScreen()), DeviceAct(SetAirplaneMode(state: .on)), DeviceAct(ChangeApp(act: .kill)),
            DeviceAct(UnlockScreen(means: .biometrics)), DeviceAct(Reboot()), DeviceAct(VerifyUser()),
            DeviceAct(StoreSecret()), DeviceAct(ReadSecret()), DeviceAct(CheckSecret()), DeviceAct(DeleteSecret()),
        ])
    func securityKey(act: DeviceAct) async throws {
        let key = try Device("security-key-bio")
        let result = await key.device.perform(act)
        #expect(result.reason?.contains("security key") == true)
        #expect(key.device.obstacleToCeremony() == nil)
        #expect(key.device.lifeState.isLocked == false)
    }

    @Test("The states of screen, network and apps are restored with the device")
    func persistence() async throws {
        let kept = KeptSecrets()
        let profile = try Shop.library.profile("iphone-face-id")
        let phone = try Device(profile, storage: kept)
        try phone.device.setAirplaneMode(true)
        try await phone.device.perform(.install, app: "mail")
        try await phone.device.perform(.background)
        try await phone.device.setPasskeyDelay(seconds: 7)
        try await phone.device.reboot()
        let stored = try await phone.device.exportState()
        #expect(stored.life == kept.last?.life)
        let back = try Device(profile, restoring: stored)
        #expect(back.device.lifeState == phone.device.lifeState)
        await #expect(throws: GateFailure.strongAuthenticationDue(.restart)) {
            _ = try await back.device.unlockByBiometrics()
        }
        // An earlier snapshot restores the earlier life.
        let fresh = try Device(profile)
        try await fresh.device.restore(stored)
        #expect(fresh.device.lifeState == phone.device.lifeState)
        #expect(try await fresh.device.exportState() == stored)
    }

    @Test("Device events are in the log")
    func log() async throws {
        let phone = try await Self.phone()
        _ = phone.device.log.drain()
        try await phone.device.perform(.background)
        _ = await phone.storage.read("token")
        try await phone.device.perform(.resume)
        try await phone.device.enrol("stranger")
        let events = phone.device.log.all.compactMap { event -> DeviceEvent? in
            if case .device(let happening) = event.kind { happening } else { nil }
        }
        #expect(events.map(\.kind.rawValue) == ["app.background", "secret.read", "app.resume", "key.destroy"])
        #expect(events[1].cause == "appInBackground")
        let described = phone.device.log.all.map { EventDescription($0) }.filter { $0.kind == "device" }
        #expect(described[1].text == "app cannot read token: appInBackground")
    }
}
