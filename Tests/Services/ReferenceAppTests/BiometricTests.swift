import AppWays
import Testing

@testable import ReferenceApp

/// Enrolment, unlock, failures and settings of biometric login.
struct BiometricTests {
    @Test func theFirstLoginOffersBiometricLoginAndSaysItsPurpose() {
        var host = TestHost()
        host.tap(.bankID, .approve)
        #expect(host.app.screen == .enrolmentPrompt)
        #expect(host.text?.contains("Face ID") == true)
        #expect(host.app.offers == [.enable, .skip])
    }

    @Test(arguments: [(AppSettings.Style.booleanGate, false), (.domainState, false), (.boundKey, true)])
    func enablingStoresTheSessionAsTheStyleDoes(style: AppSettings.Style, isBound: Bool) {
        let host = TestHost.enrolled(.styled(style))
        #expect(host.items[.biometricSession]?.access == (isBound ? .boundToEnrolment : .unguarded))
        // No second copy of the session lies beside it.
        #expect(host.items[.session] == nil)
        #expect(host.app.message == .biometricsEnabled)
    }

    @Test func aFailedEnrolmentStoresNothingBehindTheSensor() {
        var host = TestHost()
        host.prompts = [.cancelled]
        host.tap(.bankID, .approve, .enable)
        #expect(host.items[.biometricSession] == nil)
        #expect(host.app.screen == .peerMentorHome)
    }

    @Test func aDeclinedOfferIsNotRepeatedAndSettingsKeepTheToggle() {
        var host = TestHost.loggedIn()
        host.tap(.activities, .back, .settings)
        #expect(!host.screens.contains(.enrolmentPrompt))
        #expect(host.app.offers.contains(.enableBiometrics))
        host.tap(.enableBiometrics)
        #expect(host.items[.biometricSession] != nil)
        #expect(host.text == "Face ID enabled")
    }

    @Test(arguments: AppSettings.Style.allCases)
    func aStartUnlocksWithOnePromptAndNoRequestToAProvider(style: AppSettings.Style) {
        var host = TestHost.enrolled(.styled(style))
        host.relaunch(after: .seconds(60))
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.screens.first == .unlock)
        #expect(host.effects.count { $0 == .verifyUser || ($0 == .read(.biometricSession) && style == .boundKey) } == 1)
        #expect(!host.effects.contains { if case .openPage = $0 { true } else { false } })
        // The token is refreshed after the match.
        #expect(host.count("/gateway/v1/token?grant_type=refresh_token") == 1)
    }

    @Test(arguments: [(Duration.seconds(299), false), (.seconds(300), true)])
    func aReturnPromptsAfterTheTimeAwayOnly(away: Duration, prompts: Bool) {
        var host = TestHost.enrolled()
        host.handle(.resumed(away: away))
        #expect((host.promptCount > 0) == prompts)
    }

    @Test func aFailedUnlockRefreshesNothing() {
        var host = TestHost.enrolled()
        host.prompts = [.cancelled]
        host.relaunch()
        #expect(host.count("/gateway") == 0)
        #expect(host.app.session == nil)
        #expect(host.app.screen == .unlock)
        #expect(host.app.offers.contains(.useProvider) && host.app.offers.contains(.usePassword))
    }

    @Test(arguments: [(1, AppScreen.peerMentorHome), (2, .peerMentorHome), (3, .providerSelection)])
    func theThirdFailedAttemptOffersTheFallback(failures: Int, screen: AppScreen) {
        var host = TestHost.enrolled()
        host.attempts = failures
        host.relaunch()
        #expect(host.app.screen == screen)
        #expect(host.effects.contains(.cancelPrompt) == (failures == 3))
        if failures == 3 { #expect(host.app.message == .tooManyAttempts) }
    }

    @Test(arguments: SensorTrouble.allCases)
    func everyTroubleAtUnlockLeavesAWayToASession(trouble: SensorTrouble) {
        var host = TestHost.enrolled()
        host.prompts = [trouble]
        host.relaunch()
        #expect(host.app.session == nil)
        #expect(host.app.hasWay(at: host.now))
        #expect(host.text?.isEmpty == false)
    }

    @Test(arguments: [SensorTrouble.blocked, .blockedForNow])
    func aLockedSensorLeadsStraightToTheOtherLogins(trouble: SensorTrouble) {
        var host = TestHost.enrolled()
        host.prompts = [trouble]
        host.relaunch()
        #expect(host.app.screen == .providerSelection)
        #expect(host.text?.contains("BankID or Vipps") == true)
    }

    @Test func theGateWithDomainStateAndTheBoundKeyNoticeANewFinger() {
        for style in [AppSettings.Style.domainState, .boundKey] {
            var host = TestHost.enrolled(.styled(style))
            host.isSameEnrolment = false
            host.relaunch()
            #expect(host.app.session == nil)
            #expect(host.items[.biometricSession] == nil)
            #expect(host.app.message == .templatesChanged)
            #expect(host.app.screen == .providerSelection)
        }
    }

    @Test func theBooleanGateDoesNotNoticeANewFinger() {
        var host = TestHost.enrolled(.styled(.booleanGate))
        host.isSameEnrolment = false
        host.relaunch()
        #expect(host.app.session != nil)
    }

    @Test func aFallbackLoginOffersANewEnrolmentBeforeHome() throws {
        var host = TestHost.enrolled()
        host.isSameEnrolment = false
        host.relaunch()
        host.screens = []
        host.tap(.bankID, .approve)
        #expect(host.app.screen == .enrolmentPrompt)
        #expect(!host.screens.contains(.peerMentorHome))
        host.isSameEnrolment = true
        host.tap(.enable)
        host.relaunch()
        #expect(host.app.session != nil)
    }

    @Test func disablingRemovesTheTokenAtOnceAndTheNextStartAsksForALogin() {
        var host = TestHost.enrolled()
        host.tap(.settings)
        #expect(host.text == "Face ID enabled")
        host.tap(.disableBiometrics)
        #expect(host.items[.biometricSession] != nil)
        host.tap(.confirm)
        #expect(host.items[.biometricSession] == nil)
        #expect(host.items[.session] == nil)
        host.relaunch()
        #expect(host.app.screen == .providerSelection)
    }

    @Test func theOrganisationForbidsOrRequiresBiometricLogin() {
        var forbidden = TestHost(.testing { $0.policy = .forbidden })
        forbidden.tap(.bankID, .approve, .settings)
        #expect(!forbidden.screens.contains(.enrolmentPrompt))
        #expect(!forbidden.app.offers.contains(.enableBiometrics))

        var required = TestHost(.testing { $0.policy = .required })
        required.prompts = [.cancelled]
        required.tap(.bankID, .approve, .enable)
        #expect(required.app.screen == .biometricsRequired)
        required.tap(.enable)
        #expect(required.app.screen == .peerMentorHome)
        required.tap(.settings)
        #expect(!required.app.offers.contains(.disableBiometrics))
    }

    @Test func aDeviceWithoutASensorIsDirectedToThePassword() {
        var host = TestHost(.testing { $0.sensor = .none })
        #expect(host.app.message == .noSensor)
        #expect(host.app.offers.contains(.passwordLogin))
        host.tap(.bankID, .approve)
        #expect(host.app.screen == .peerMentorHome)
    }

    @Test(arguments: [(SensorName.faceID, "Face ID enabled"), (.fingerprint, "Fingerprint enabled")])
    func theSettingsNameTheSensor(sensor: SensorName, text: String) {
        var host = TestHost.enrolled(.testing { $0.sensor = sensor })
        host.tap(.settings)
        #expect(host.text == text)
    }
}
