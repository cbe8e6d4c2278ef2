import AppHost
import Biometrics
import DeviceProfiles
import Foundation
import ProfileFiles
import Providers
import ReferenceApp
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthnClient

/// The reference app on simulated devices, with services that answer from a table.
struct AppHostTests {
    struct Bench {
        let clock = SimulatedClock()
        let person: ControlledUser
        let services = ScriptedServices()
        let device: SimulatedDevice
        let host: AppHost

        init(_ profile: String, _ edit: (inout AppSettings) -> Void = { _ in }) throws {
            let random = SeededRandomSource(seed: 1)
            let clock = clock
            person = ControlledUser(habit: .auto, nature: ConsentingUser()) { clock.advance(to: $0) }
            let watch = PromptWatch(person)
            let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
            device = try SimulatedDevice(
                profile: try profiles.profile(profile), time: clock, random: random, user: watch,
                log: EventLog { watch.hear($0) })
            var settings = AppSettings()
            settings.hasConditionalMediation = false
            settings.sensor = device.sensorName
            edit(&settings)
            host = AppHost(
                settings, on: device, watch: watch,
                client: device.client(over: device.ctap, pins: PINScript(), random: random),
                origin: try Origin(parsing: "http://localhost"), services: services, time: clock, random: random)
        }

        var screen: AppScreen? { host.app?.screen }
        var items: [String] { device.secureStorage.ids.map(\.description) }

        func tap(_ buttons: AppButton...) async throws {
            for button in buttons { #expect(try await host.tap(button) == .done, "\(button) at \(screen as Any)") }
        }

        func logIn(enabling: Bool = true) async throws {
            try await host.open()
            try await tap(.bankID, .approve, enabling ? .enable : .skip)
        }

        func relaunch() async throws {
            try await device.perform(.kill)
            await host.observe()
            #expect(host.app == nil)
            try await host.open()
        }
    }

    static let phones = ["pixel-fingerprint", "iphone-face-id", "iphone-touch-id"]

    @Test(arguments: phones, AppSettings.Style.allCases)
    func aRestartUnlocksWithOnePromptAndRefreshesOnce(phone: String, style: AppSettings.Style) async throws {
        let bench = try Bench(phone) { $0.style = style }
        try await bench.logIn()
        #expect(bench.items.contains("biometric-session"))
        #expect(!bench.items.contains("session"))
        try await bench.relaunch()
        #expect(bench.screen == .coordinatorHome)
        #expect(bench.services.refreshes == 1)
        #expect(bench.services.openedPages == 1)
        #expect(bench.host.exposedTokens == 0)
    }

    static let styles: [(AppSettings.Style, Bool)] = [(.booleanGate, true), (.domainState, false), (.boundKey, false)]

    @Test("A new finger opens the app with a boolean gate, and closes the others", arguments: phones, styles)
    func aNewFinger(phone: String, style: (style: AppSettings.Style, opens: Bool)) async throws {
        let bench = try Bench(phone) { $0.style = style.style }
        try await bench.logIn()
        try await bench.device.enrolAnother()
        try await bench.relaunch()
        #expect((bench.screen == .coordinatorHome) == style.opens)
        if !style.opens {
            #expect(bench.screen == .providerSelection)
            #expect(!bench.items.contains("biometric-session"))
            #expect(bench.host.app?.message == .templatesChanged)
        }
    }

    @Test(arguments: [(2, AppScreen.coordinatorHome), (3, .providerSelection)])
    func onAndroidTheAppWithdrawsItsPromptAfterThreeFailedAttempts(failures: Int, screen: AppScreen) async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.logIn()
        try await bench.device.perform(.kill)
        await bench.host.observe()
        for _ in 0..<failures { await bench.person.tell(.gate(.nonMatch)) }
        try await bench.host.open()
        #expect(bench.screen == screen)
        // The system's own counter stays below its limit, so the sensor is not locked.
        #expect(await bench.device.authenticator.gate?.lockout(of: .fingerprint, at: bench.clock.now()) == Lockout.none)
        #expect(await bench.person.clearQueuedActs().isEmpty)
    }

    @Test func aLockedSensorLeadsStraightToTheOtherLogins() async throws {
        let bench = try Bench("iphone-face-id")
        try await bench.logIn()
        await bench.device.lockOut()
        try await bench.relaunch()
        #expect(bench.screen == .providerSelection)
        #expect(bench.host.app?.message == .sensorBlocked)
        #expect(bench.services.refreshes == 0)
    }

    @Test(arguments: [(Duration.seconds(299), 0), (.seconds(300), 1)])
    func aReturnAsksForTheUserAfterTheTimeAway(away: Duration, refreshes: Int) async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.logIn()
        try await bench.host.switchTo("mail")
        bench.clock.advance(by: away)
        try await bench.host.open()
        #expect(bench.screen == .coordinatorHome)
        #expect(bench.services.refreshes == refreshes)
    }

    @Test func anAppKilledDuringItsPromptKeepsItsSessionAndLearnsNothing() async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.logIn()
        try await bench.device.perform(.kill)
        await bench.host.observe()
        await bench.person.interrupt { _ = try? await bench.device.perform(.kill) }
        try await bench.host.open()
        await bench.host.observe()
        #expect(bench.host.app == nil)
        #expect(bench.items.contains("biometric-session"))
    }

    @Test(arguments: [true, false])
    func theProvidersAppComesBackByTheUniversalLink(isKilled: Bool) async throws {
        let bench = try Bench("iphone-face-id")
        try await bench.host.open()
        try await bench.tap(.vipps)
        try await bench.host.switchTo("vipps")
        if isKilled {
            try await bench.device.perform(.kill)
            await bench.host.observe()
        }
        try await bench.tap(.approve)
        #expect(bench.screen == .enrolmentPrompt)
        #expect(bench.device.lifeState.foregroundApp == "app")
        #expect(!bench.items.contains("login-attempt"))
    }

    /// The ways in which a domain's file does not name the app, and the platform that reads it.
    static let strangers: [(String, @Sendable (inout ScriptedServices.State) -> Void)] = [
        ("iphone-face-id", { $0.named = nil }), ("pixel-fingerprint", { $0.named = nil }),
        ("iphone-face-id", { $0.named?.appleAppID = "OTHER12345.example.touchstone.app" }),
        ("pixel-fingerprint", { $0.named?.androidPackage = "example.other" }),
        ("pixel-fingerprint", { $0.named?.androidFingerprint = "00:11" }),
        ("pixel-fingerprint", { $0.relation = "delegate_permission/common.get_login_creds" }),
    ]

    @Test(arguments: strangers)
    func aWebsiteThatDoesNotNameTheAppOpensNoLink(
        phone: String, change: @Sendable (inout ScriptedServices.State) -> Void
    ) async throws {
        let bench = try Bench(phone)
        bench.services.change(change)
        try await bench.host.open()
        try await bench.tap(.bankID)
        try await bench.host.switchTo("bankid")
        try await bench.tap(.approve)
        #expect(bench.device.lifeState.foregroundApp == "bankid")
        #expect(bench.host.app?.session == nil)
    }

    @Test func aLinkThatComesTwiceOpensOneSession() async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.logIn(enabling: false)
        let sent = bench.services.state.withLock { $0.sent.count }
        let link = try #require(bench.host.lastLink)
        try await bench.host.open(link: link)
        #expect(bench.screen == .coordinatorHome)
        #expect(bench.services.state.withLock { $0.sent.count } == sent)
    }

    @Test func theInAppBrowserEndsWithTheApp() async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.host.open()
        try await bench.tap(.bankID)
        try await bench.device.perform(.kill)
        await bench.host.observe()
        try await bench.host.switchTo("bankid")
        #expect(try await bench.host.tap(.approve) == .missing)
    }

    @Test func anotherProvidersAppKnowsNothingOfTheLogin() async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.host.open()
        try await bench.tap(.bankID)
        try await bench.host.switchTo("vipps")
        #expect(try await bench.host.tap(.approve) == .missing)
    }

    @Test(arguments: ["pixel-fingerprint", "iphone-face-id"], AppSettings.Style.allCases)
    func aReinstalledAppBeginsAnew(phone: String, style: AppSettings.Style) async throws {
        let bench = try Bench(phone) { $0.style = style }
        try await bench.logIn()
        try await bench.device.perform(.reinstall)
        await bench.host.observe()
        try await bench.host.open()
        #expect(bench.screen == .providerSelection)
        #expect(bench.items == [])
        #expect(bench.host.preferences.user == nil)
    }

    @Test func clearedDataAreGone() async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.logIn()
        try await bench.device.perform(.clearData)
        await bench.host.observe()
        #expect(bench.host.preferences == AppPreferences())
        #expect(bench.items == [])
    }

    @Test func aProviderThatNeverReturnsLeavesAWayBack() async throws {
        let bench = try Bench("pixel-fingerprint")
        bench.services.change { $0.decision = nil }
        try await bench.host.open()
        try await bench.tap(.bankID, .approve)
        #expect(bench.screen == .bankIDPage)
        try await bench.tap(.close)
        #expect(bench.host.app?.message == .loginCancelled(.bankID))
    }

    @Test func offlineTheUnlockWorksWithoutARequest() async throws {
        let bench = try Bench("pixel-fingerprint")
        try await bench.logIn()
        try bench.device.setAirplaneMode(true)
        await bench.host.observe()
        _ = bench.host.takeRecord()
        let sent = bench.services.state.withLock { $0.sent.count }
        try await bench.relaunch()
        #expect(bench.screen == .coordinatorHome)
        #expect(bench.host.app?.message == .offline)
        #expect(bench.services.state.withLock { $0.sent.count } == sent)
        try bench.device.setAirplaneMode(false)
        await bench.host.observe()
        #expect(bench.services.refreshes == 1)
    }

    @Test func aDeviceWithoutASensorIsNotOfferedBiometricLogin() async throws {
        let bench = try Bench("windows-hello-pin")
        #expect(bench.device.sensorName == .none)
        try await bench.host.open()
        #expect(bench.host.app?.message == .noSensor)
    }
}

extension SimulatedDevice {
    /// Enrols another template: a finger beside the others, or a face in the place of the first.
    ///
    /// - Parameter number: tells templates of one test apart.
    func enrolAnother(_ number: Int = 1) async throws {
        guard let sensor = profile.sensors.first, sensor.modality == .face, let name = sensor.templates.first?.name
        else {
            return try await enrol("finger \(number) of another user")
        }
        let current = number == 1 ? name : "face \(number - 1) of another user"
        try await replaceTemplate(named: current, with: "face \(number) of another user")
    }
}
