import Foundation
import Testing

@testable import ReferenceApp

/// The session's life, step-up and work without a network.
struct SessionTests {
    @Test func aReopenedAppShowsHomeWithoutAPrompt() {
        var host = TestHost.loggedIn()
        host.relaunch(after: .seconds(60))
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.promptCount == 0)
        #expect(!host.screens.contains(.providerSelection))
    }

    @Test func anExpiredAccessTokenIsRefreshedBeforeHome() throws {
        var host = TestHost.loggedIn()
        host.relaunch(after: .seconds(3601))
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.paths.first == "/gateway/v1/token?grant_type=refresh_token")
        #expect(host.count("/gateway/v1/token") == 1)
        let home = try #require(host.screens.firstIndex(of: .peerMentorHome))
        #expect(host.screens[..<home].allSatisfy { $0 == .working })
    }

    @Test func anEndedSessionAsksForALoginWithoutAPrompt() {
        var host = TestHost.enrolled()
        host.relaunch(after: .seconds(86_401))
        #expect(host.promptCount == 0)
        #expect(host.app.screen == .providerSelection)
        #expect(host.text == "Your session has expired — please log in again")
    }

    @Test(arguments: [
        "refresh_token_not_found", "refresh_token_already_used", "session_expired", "session_not_found",
    ])
    func aRefusedRefreshEndsTheSession(code: String) {
        var host = TestHost.enrolled()
        host.answers["/gateway/v1/token?grant_type=refresh_token"] = .refusal(code)
        host.relaunch()
        #expect(host.app.session == nil)
        #expect(host.app.message == .sessionExpired)
        #expect(host.items.isEmpty)
    }

    @Test func aServerThatIsDownEndsNoSession() {
        var host = TestHost.loggedIn()
        host.answers["/gateway/v1/token?grant_type=refresh_token"] = .json("", 503)
        host.relaunch(after: .seconds(3601))
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.items[.session] != nil)
    }

    @Test func aRefusedAccessTokenIsRefreshedOnce() {
        var host = TestHost.loggedIn()
        host.answers["/gateway/v1/home"] = .refusal("bad_jwt", 401)
        host.relaunch(after: .seconds(60))
        #expect(host.count("/gateway/v1/token") == 1)
        #expect(host.app.message == .sessionExpired)
    }

    @Test func noTokenIsKeptOutsideSecureStorage() throws {
        for host in [TestHost.enrolled(), .loggedIn()] {
            let text = String(decoding: try JSONEncoder().encode(host.preferences), as: UTF8.self)
            let session = try #require(host.app.session)
            #expect(!text.contains("\"\(session.refreshToken)\"") && !text.contains("\"\(session.accessToken)\""))
            #expect(host.items.values.contains { $0.text.contains("\"\(session.refreshToken)\"") })
        }
    }

    @Test func personalDataAreHiddenUntilTheMatch() {
        var host = TestHost.enrolled()
        host.prompts = [.cancelled]
        host.tap(.personalData)
        #expect(host.app.screen == .stepUp)
        #expect(host.app.revealed.isEmpty)
        #expect(host.count("/gateway/v1/personal-data") == 0)
        #expect(host.app.offers == [.tryAgain, .usePassword, .back])
        host.tap(.tryAgain)
        #expect(host.app.screen == .personalData)
        #expect(host.app.revealed == ["14839010150"])
        host.tap(.back)
        #expect(host.app.revealed.isEmpty)
    }

    @Test func thePasswordReplacesTheBiometricAtAStepUp() {
        var host = TestHost.enrolled()
        host.prompts = [.blocked]
        host.tap(.personalData, .usePassword)
        host.enter(.password, "right")
        host.tap(.confirm)
        #expect(host.app.screen == .personalData)
    }

    @Test func anExpenseClaimNeedsTheUserAndARoutineActionDoesNot() {
        var host = TestHost.enrolled()
        host.tap(.activities)
        host.enter(.activity, "visit")
        host.tap(.registerActivity, .back)
        #expect(host.promptCount == 0)
        host.tap(.expenseClaim)
        host.enter(.amount, "120")
        host.prompts = [.cancelled]
        host.tap(.submitClaim)
        #expect(host.count("/gateway/v1/expense-claims") == 0)
        host.tap(.tryAgain)
        #expect(host.count("/gateway/v1/expense-claims") == 1)
        #expect(host.app.message == .claimSent)
    }

    @Test func activitiesWaitForTheNetworkAndAreDeliveredOnce() {
        var host = TestHost.loggedIn()
        host.setOnline(false)
        host.tap(.activities)
        host.enter(.activity, "visit")
        host.tap(.registerActivity)
        #expect(host.preferences.queue.count == 1)
        #expect(host.text == "1 activity waits for the network")
        host.relaunch()
        host.setOnline(true)
        #expect(host.preferences.queue.isEmpty)
        #expect(host.count("/gateway/v1/activities") == 1)
    }

    @Test(arguments: AppSettings.Style.allCases)
    func theUnlockWorksOfflineAndRefreshesLater(style: AppSettings.Style) {
        var host = TestHost.enrolled(.styled(style))
        host.isOnline = false
        host.relaunch()
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.message == .offline)
        #expect(host.app.preferences.cachedItems == ["Activities: 2", "Expense claims: 0"])
        #expect(host.paths.isEmpty)
        host.setOnline(true)
        #expect(host.count("/gateway/v1/token?grant_type=refresh_token") == 1)
        #expect(host.app.message == nil)
    }

    @Test func anEndedSessionKeepsDataAndQueueOfflineAndAsksForALoginBeforeSyncing() {
        var host = TestHost.enrolled()
        host.isOnline = false
        host.relaunch(after: .seconds(86_401))
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.message == .offlineSessionExpired)
        host.tap(.activities)
        host.enter(.activity, "visit")
        host.tap(.registerActivity)
        host.answers["/gateway/v1/token?grant_type=refresh_token"] = .refusal("session_expired")
        host.setOnline(true)
        #expect(host.app.message == .sessionExpired)
        #expect(host.count("/gateway/v1/activities") == 0)
        #expect(host.preferences.queue.count == 1)
        host.answers = [:]
        host.tap(.bankID, .approve)
        #expect(host.app.screen == .enrolmentPrompt)
        #expect(host.preferences.queue.isEmpty)
        #expect(host.count("/gateway/v1/activities") == 1)
    }

    @Test(arguments: [true, false])
    func anOutageHoldsTheQueueUpOnlyUntilTheServiceAnswers(returns: Bool) {
        var host = TestHost.loggedIn()
        host.answers["/gateway/v1/activities"] = .json("", 503)
        host.tap(.activities)
        host.enter(.activity, "visit")
        host.tap(.registerActivity)
        #expect(host.preferences.queue.count == 1)
        host.answers = [:]
        if returns {
            host.handle(.resumed(away: .seconds(60)))
        } else {
            host.tap(.back)
        }
        #expect(host.preferences.queue.isEmpty)
        #expect(host.count("/gateway/v1/activities") == 2)
    }

    @Test func anotherUsersLoginNeitherSendsNorDeletesTheQueue() {
        var host = TestHost.loggedIn()
        host.setOnline(false)
        host.tap(.activities)
        host.enter(.activity, "visit")
        host.tap(.registerActivity, .back, .logOut)
        host.setOnline(true)
        host.userID = "2"
        host.tap(.bankID, .approve, .skip)
        #expect(host.app.preferences.waitingActivities.isEmpty)
        #expect(host.count("/gateway/v1/activities") == 0)
        host.tap(.logOut)
        host.userID = "1"
        host.tap(.bankID, .approve)
        #expect(host.preferences.queue.isEmpty)
        #expect(host.count("/gateway/v1/activities") == 1)
    }

    @Test func aSecondActivityWaitsForTheAnswerToTheFirst() {
        var host = TestHost.loggedIn()
        host.isSilent = true
        host.tap(.activities)
        for text in ["visit", "training"] {
            host.enter(.activity, text)
            host.tap(.registerActivity)
        }
        #expect(host.preferences.queue.count == 2)
        #expect(host.count("/gateway/v1/activities") == 1)
    }
}

extension SessionTests {
    @Test(arguments: [AppButton.personalData, .settings])
    func anEndedAccessTokenIsRenewedBeforeTheRequest(button: AppButton) {
        var host = TestHost.enrolled()
        host.now += .seconds(3_700)
        host.tap(button)
        #expect(host.app.screen == (button == .settings ? .settings : .personalData))
        #expect(host.count("/gateway/v1/token?grant_type=refresh_token") == (button == .settings ? 0 : 1))
    }

    @Test func anEndedAccessTokenDoesNotHoldUpTheUserOffline() {
        var host = TestHost.enrolled()
        host.now += .seconds(3_700)
        host.setOnline(false)
        host.tap(.settings, .passkeys)
        #expect(host.app.screen == .settings)
        #expect(host.app.message == .needsNetwork)
    }

    @Test func cancelledTokensPerformNothing() {
        var host = TestHost.enrolled()
        host.now += .seconds(3_700)
        host.isSilent = true
        host.tap(.personalData)
        #expect(host.app.screen == .working)
        host.isSilent = false
        host.tap(.cancel)
        host.setOnline(false)
        host.setOnline(true)
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.promptCount == 0)
    }

    @Test(arguments: AppSettings.Style.allCases)
    func aStepUpAfterAnHourSendsTheNewToken(style: AppSettings.Style) {
        var host = TestHost.enrolled(.styled(style))
        host.now += .seconds(3_700)
        host.tap(.personalData)
        #expect(host.app.screen == .personalData)
        #expect(host.app.revealed == ["14839010150"])
    }

    @Test func aNewFingerWhileTokensAreRenewedOpensNothing() {
        var host = TestHost.enrolled()
        host.now += .seconds(3_700)
        host.isSameEnrolment = false
        host.tap(.personalData)
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.message == .templatesChanged)
        #expect(host.app.revealed.isEmpty)
    }

    @Test(arguments: [AppButton.people, .personalData])
    func aLateAnswerReachesNoLockedApp(button: AppButton) throws {
        var host = TestHost()
        host.role = .coordinator
        host.tap(.bankID, .approve, .enable)
        host.isSilent = true
        host.tap(button)
        let request = try #require(
            host.effects.compactMap { if case .send(let request) = $0 { request } else { nil } }.last)
        host.prompts = [.cancelled]
        host.handle(.resumed(away: .seconds(600)))
        #expect(host.app.screen == .unlock)
        host.isSilent = false
        host.handle(.answered(request, .json(#"{"people":[{"name":"Anne Lund","role":"peer-mentor"}]}"#)))
        #expect(host.app.screen == .unlock)
        #expect(host.app.people.isEmpty && host.app.revealed.isEmpty)
    }

    @Test func anOutageOfTheTokensAloneEndsNoSession() {
        var host = TestHost.enrolled()
        host.now += .seconds(3_700)
        let tokens = "/gateway/v1/token?grant_type=refresh_token"
        host.answers[tokens] = .json("{}", 503)
        host.answers["/gateway/v1/home"] = .refusal("session_expired", 401)
        host.tap(.personalData)
        #expect(host.app.session != nil)
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.message == .savedData)
    }

    @Test func renewedTokensEnrolNothingWhereThePolicyForbidsIt() {
        var host = TestHost.enrolled(.styled(.booleanGate))
        host.tap(.settings)
        host.setOnline(false)
        host.policy = "forbidden"
        host.setOnline(true)
        #expect(host.app.screen == .settings)
        #expect(host.app.message == .biometricsForbidden)
        #expect(!host.preferences.hasBiometrics)
        #expect(host.items[.biometricSession] == nil)
    }

    @Test func twoRefusalsOfOneTokenEndNoSession() throws {
        var host = TestHost.enrolled()
        let token = try #require(host.app.session).accessToken
        host.isSilent = true
        for _ in 1...2 { host.handle(.answered(.home(accessToken: token), .refusal("session_expired", 401))) }
        #expect(host.app.session != nil)
        #expect(host.count("/gateway/v1/token?grant_type=refresh_token") == 1)
    }

    @Test func aPolicyThatForbidsTheSensorDuringAStepUpLeavesThePassword() {
        var host = TestHost.enrolled()
        host.prompts = [.cancelled]
        host.tap(.personalData)
        host.now += .seconds(3_700)
        host.policy = "forbidden"
        host.tap(.tryAgain)
        #expect(host.app.session != nil)
        #expect(host.app.screen == .stepUpPassword)
    }
}
