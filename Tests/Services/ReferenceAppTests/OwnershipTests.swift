import Testing

@testable import ReferenceApp

/// State has an owner and ends with it.
@Suite struct OwnershipTests {
    @Test(arguments: Provider.allCases)
    func aLateLinkDoesNotReplaceAnotherUsersSession(provider: Provider) {
        var host = TestHost()
        host.tap(provider == .bankID ? .bankID : .vipps)
        let link = host.callback("code=1")
        // The app is killed, and another user logs in with a password.
        host.relaunch()
        host.userID = "2"
        host.tap(.passwordLogin)
        host.enter(.email, "bob@example.com")
        host.enter(.password, "right")
        host.tap(.logIn, .skip)
        #expect(host.items[.loginAttempt] == nil)
        host.userID = "1"
        host.handle(.openedLink(link))
        #expect(host.app.session?.user.id == "2")
        #expect(host.count("/gateway/v1/login/") == 0)
    }

    @Test func anAnswerToAnEarlierSessionsRequestChangesNothing() throws {
        var host = TestHost.loggedIn()
        let old = try #require(host.app.session)
        host.tap(.logOut)
        host.userID = "2"
        host.tap(.vipps, .approve, .skip)
        let session = try #require(host.app.session)
        let renewed =
            #"{"access_token":"x","refresh_token":"y","expires_at":1,"user":{"id":"1","name":"Ada","role":"coordinator"}}"#
        host.handle(.answered(.refresh(token: old.refreshToken), .json(renewed)))
        host.handle(.answered(.home(accessToken: old.accessToken), .json(#"{"activities":9,"expense_claims":9}"#)))
        host.handle(.answered(.home(accessToken: old.accessToken), .refusal("session_not_found", 401)))
        #expect(host.app.session == session)
        #expect(!host.preferences.cachedItems.contains("Activities: 9"))
        #expect(host.app.screen == .peerMentorHome)
    }

    @Test func aDeliveredActivityLeavesTheQueueWhoeverUsesThePhone() {
        var host = TestHost.loggedIn()
        host.isSilent = true
        host.tap(.activities)
        host.enter(.activity, "visit")
        host.tap(.registerActivity)
        let activity = host.preferences.queue[0]
        host.isSilent = false
        host.tap(.back, .logOut)
        host.userID = "2"
        host.tap(.bankID, .approve, .skip)
        host.handle(.answered(.activity(activity, accessToken: "a1"), .json("{}", 201)))
        #expect(host.preferences.queue.isEmpty)
    }

    @Test(arguments: AppSettings.Style.allCases)
    func changedTemplatesRevealNothingAtAStepUp(style: AppSettings.Style) {
        var host = TestHost.enrolled(.styled(style))
        host.isSameEnrolment = false
        host.tap(.personalData)
        if style == .booleanGate {
            #expect(host.app.screen == .personalData)
        } else {
            #expect(host.app.screen == .providerSelection)
            #expect(host.app.message == .templatesChanged)
            #expect(host.count("/gateway/v1/personal-data") == 0)
            #expect(host.items.isEmpty)
        }
    }

    @Test func protectedDataAreHiddenAfterAReturn() {
        var host = TestHost.enrolled()
        host.tap(.personalData)
        #expect(host.app.revealed == ["14839010150"])
        host.handle(.resumed(away: .seconds(1)))
        #expect(host.app.revealed.isEmpty)
        #expect(host.app.screen == .peerMentorHome)
    }

    @Test func theServerRefusesAnOldProofAndTheAppAsksAgain() {
        var host = TestHost.enrolled()
        host.answers["/gateway/v1/personal-data"] = .refusal("step_up_required", 403)
        host.prompts = [nil, .cancelled]
        host.tap(.personalData)
        #expect(host.app.screen == .stepUp)
        #expect(host.app.message == .promptCancelled)
        #expect(host.count("/gateway/v1/step-up") == 1)
    }

    @Test func aUserWithoutAPasswordIsNotAskedForOne() {
        var host = TestHost()
        host.email = nil
        host.tap(.bankID, .approve, .skip, .personalData)
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.message == .enableFirst)
    }

    @Test(arguments: [
        ("forbidden", AppScreen.peerMentorHome), ("required", .biometricsRequired), ("allowed", .peerMentorHome),
    ])
    func theBackendsPolicyCountsAtHome(policy: String, screen: AppScreen) {
        var host = policy == "forbidden" ? TestHost.enrolled() : TestHost.loggedIn()
        host.answers["/gateway/v1/home"] = .json(
            #"{"activities":0,"expense_claims":0,"role":"peer-mentor","policy":{"biometrics":"\#(policy)"}}"#)
        host.tap(.activities, .back)
        #expect(host.app.screen == screen)
        if policy == "forbidden" {
            #expect(host.items.isEmpty)
            #expect(host.app.message == .biometricsForbidden)
            host.relaunch()
            #expect(host.app.screen == .providerSelection)
            #expect(host.promptCount == 0)
        }
    }

    @Test func aChangedRoleHasItsHome() {
        var host = TestHost.loggedIn()
        host.answers["/gateway/v1/home"] = .json(#"{"activities":0,"expense_claims":0,"role":"coordinator"}"#)
        host.tap(.activities, .back)
        #expect(host.app.screen == .coordinatorHome)
        #expect(host.preferences.user?.role == .coordinator)
    }

    @Test func aLogoutWithoutANetworkIsSentLater() {
        var host = TestHost.loggedIn()
        host.setOnline(false)
        host.tap(.logOut)
        #expect(host.items.keys.contains(.endedSession))
        host.relaunch()
        #expect(host.count("/gateway/v1/revoke") == 0)
        host.setOnline(true)
        #expect(host.count("/gateway/v1/revoke") == 1)
        #expect(host.items.isEmpty)
        #expect(!host.preferences.hasEndedSession)
    }

    @Test func aDeadKeySwitchesBiometricLoginOffInTheSettings() {
        var host = TestHost.enrolled()
        host.isSameEnrolment = false
        host.tap(.settings)
        #expect(host.app.message == .templatesChanged)
        #expect(host.app.offers.contains(.enableBiometrics))
        host.isSameEnrolment = true
        host.tap(.enableBiometrics)
        #expect(host.preferences.hasBiometrics)
        #expect(host.app.message == .biometricsOn)
    }

    @Test func eachPasskeyHasItsRowAndItsButton() {
        var host = TestHost.loggedIn()
        host.answers["/authsignal/v1/client/user-authenticators"] = .json(
            #"[{"webauthnCredential":{"credentialId":"1","name":"Pixel"},"createdAt":"2026-01-01T00:00:00.000Z"},"#
                + #"{"webauthnCredential":{"credentialId":"2","name":"iPhone"},"createdAt":"2026-01-02T00:00:00.000Z","#
                + #""lastVerifiedAt":"2026-01-03T00:00:00.000Z"}]"#)
        host.tap(.settings, .passkeys)
        #expect(host.app.rows.map(\.title) == ["Pixel", "iPhone"])
        #expect(
            host.app.rows.map(\.details) == [
                "added 2026-01-01, never used", "added 2026-01-02, last used 2026-01-03",
            ])
        // The button alone names no passkey.
        host.tap(.removePasskey)
        #expect(host.count("/authsignal/v1/client/user-authenticators/passkey/authentication-options") == 0)
        host.handle(.tappedRow(.removePasskey, 1))
        #expect(host.count("/authsignal/v1/client/user-authenticators/2") == 1)
        #expect(host.effects.contains(.signalUnknownPasskey(id: "2")))
    }

    @Test func aPasskeyThatIsGoneAlreadyIsRemoved() {
        var host = TestHost.loggedIn()
        host.answers["/authsignal/v1/client/user-authenticators/1"] = .json(
            #"{"error":{"code":"credential.notFound","message":"…"}}"#, 404)
        host.tap(.settings, .passkeys, .removePasskey)
        #expect(host.app.message == .passkeyRemoved)
    }

    @Test func aLoginWithoutANetworkBlamesNoProvider() {
        var host = TestHost()
        host.setOnline(false)
        host.tap(.bankID)
        #expect(host.app.screen == .providerSelection)
        #expect(host.app.message == .loginOffline)
        #expect(host.app.offers.contains(.tryAgain))
    }
}
