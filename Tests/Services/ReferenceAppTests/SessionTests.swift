import Foundation
import Testing

@testable import ReferenceApp

/// The session's life, step-up and work without a network.
struct SessionTests {
    @Test func aReopenedAppShowsHomeWithoutAPrompt() {
        var host = TestHost.loggedIn()
        host.relaunch(after: .seconds(60))
        #expect(host.app.screen == .memberHome)
        #expect(host.promptCount == 0)
        #expect(!host.screens.contains(.providerSelection))
    }

    @Test func anExpiredAccessTokenIsRefreshedBeforeHome() throws {
        var host = TestHost.loggedIn()
        host.relaunch(after: .seconds(3601))
        #expect(host.app.screen == .memberHome)
        #expect(host.paths.first == "/gateway/v1/token?grant_type=refresh_token")
        #expect(host.count("/gateway/v1/token") == 1)
        let home = try #require(host.screens.firstIndex(of: .memberHome))
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
        #expect(host.app.screen == .memberHome)
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
        #expect(host.app.screen == .memberHome)
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
        #expect(host.app.screen == .memberHome)
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
