import Crypto
import Foundation
import Testing

@testable import ReferenceApp

/// Login at a provider, with a password, with an e-mail code and with a passkey.
struct LoginTests {
    @Test(arguments: [AppButton.bankID, .vipps])
    func aProvidersPageIsOpenedWithPKCEStateAndNonce(button: AppButton) throws {
        var host = TestHost()
        host.tap(button)
        #expect(host.app.screen == (button == .vipps ? .vippsPage : .bankIDPage))
        let page = try #require(
            host.effects.compactMap { if case .openPage(let path) = $0 { path } else { nil } }.first)
        let items = try #require(URLComponents(string: page)?.queryItems)
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        let stored = try #require(host.items[.loginAttempt]?.text)
        let attempt = try #require(LoginAttempt(stored: stored))
        let challenge = LoginAttempt.base64URL(Array(SHA256.hash(data: Data(attempt.verifier.utf8))))
        #expect(query["code_challenge_method"] == "S256")
        #expect(query["code_challenge"] == challenge)
        #expect(query["code_challenge"]?.count == 43)
        #expect(query["state"] == attempt.state && query["nonce"] == attempt.nonce)
        #expect(attempt.verifier != attempt.state && attempt.state.count >= 8)
        #expect(query["scope"]?.split(separator: " ").contains("openid") == true)
        if button == .vipps { #expect(query["scope"]?.contains("nin") == true) }
    }

    @Test func aCancelledLoginSaysSoAndShowsTheWaysToLogIn() {
        for button in [AppButton.decline, .close] {
            var host = TestHost()
            host.tap(.bankID, button)
            #expect(host.app.screen == .providerSelection)
            #expect(host.text == "BankID login was cancelled")
            #expect(host.app.offers.contains(.vipps))
            #expect(host.items[.loginAttempt] == nil)
            #expect(host.count("/gateway") == 0)
        }
    }

    @Test func aProviderThatIsDownNamesTheOther() {
        for (button, text) in [
            (AppButton.bankID, "BankID is temporarily unavailable. Try Vipps instead or retry later"),
            (.vipps, "Vipps is temporarily unavailable. Try BankID instead or retry later"),
        ] {
            var host = TestHost()
            host.isOnline = false
            host.tap(button)
            #expect(host.text == text)
            #expect(host.app.offers.contains(.bankID) && host.app.offers.contains(.vipps))
        }
    }

    @Test func aFailedExchangeOffersARetryWithFreshValues() {
        var host = TestHost()
        host.answers["/gateway/v1/login/vipps"] = .refusal("invalid_grant")
        host.tap(.vipps, .approve)
        #expect(host.text == "Login failed — please try again")
        #expect(host.app.offers.first == .tryAgain)
        host.answers = [:]
        host.tap(.tryAgain)
        #expect(host.app.screen == .vippsPage)
        host.tap(.approve)
        #expect(host.app.session != nil)
    }

    @Test func aCallbackWithAnotherStateOpensNothing() {
        var host = TestHost()
        host.tap(.bankID)
        host.handle(.returned(host.callback("code=1", state: "forged")))
        #expect(host.app.session == nil)
        #expect(host.count("/gateway/v1/login") == 0)
        #expect(host.app.screen == .providerSelection)
    }

    @Test func aCallbackAfterTheAppWasKilledCompletesTheLogin() {
        var host = TestHost()
        host.tap(.vipps)
        let link = host.callback("code=1")
        host.relaunch()
        #expect(host.app.session == nil)
        host.handle(.openedLink(link))
        #expect(host.app.screen == .enrolmentPrompt)
        #expect(host.items[.loginAttempt] == nil)
    }

    @Test func aCallbackWorksOnce() {
        var host = TestHost()
        host.tap(.bankID)
        let link = host.callback("code=1")
        host.handle(.returned(link))
        host.tap(.skip, .logOut)
        host.handle(.openedLink(link))
        #expect(host.app.session == nil)
        #expect(host.count("/gateway/v1/login/bankid") == 1)
    }

    @Test(arguments: AppRole.allCases)
    func eachRoleHasAHomeOfItsOwn(role: AppRole) {
        var host = TestHost()
        host.role = role
        host.tap(.bankID, .approve, .skip)
        #expect(host.app.screen == role.home)
        #expect(host.app.screen.isHome)
    }

    @Test func aWrongPasswordIsSaidAndTheFieldIsCleared() {
        var host = TestHost()
        host.tap(.passwordLogin)
        host.enter(.email, "ada@example.com")
        host.enter(.password, "wrong")
        host.answers["/gateway/v1/token?grant_type=password"] = .refusal("invalid_credentials")
        host.tap(.logIn)
        #expect(host.app.screen == .passwordLogin)
        #expect(host.app.message == .passwordWrong)
        #expect(host.app.fields[.password] == nil)
        #expect(host.app.fields[.email] == "ada@example.com")
        host.answers["/gateway/v1/token?grant_type=password"] = .refusal("over_request_rate_limit", 429)
        host.enter(.password, "wrong")
        host.tap(.logIn)
        #expect(host.app.message == .passwordTooOften)
    }

    @Test func aNewUserVerifiesTheAddressAndIsOfferedAPasskey() {
        var host = TestHost()
        host.tap(.emailLogin)
        host.enter(.email, "new@example.com")
        host.tap(.sendCode)
        let passwords = host.effects.compactMap {
            if case .send(.signUp("new@example.com", let password)) = $0 { password } else { nil }
        }
        #expect(passwords.count == 1)
        #expect(passwords.allSatisfy { $0.count >= 32 })
        host.enter(.code, "123456")
        host.tap(.verifyCode)
        #expect(host.app.screen == .passkeyOffer)
        host.tap(.addPasskey)
        #expect(host.paths.count { $0 == "/authsignal/v1/client/user-authenticators/passkey" } == 1)
        #expect(host.app.screen == .enrolmentPrompt)
        // The password is nowhere to be used again.
        #expect(!host.items.values.contains { item in passwords.contains { item.text.contains($0) } })
    }

    @Test func theResultTokenOfACodeAnswersTheChallenge() {
        var host = TestHost()
        host.tap(.emailLogin)
        host.enter(.email, "ada@example.com")
        host.tap(.sendCode)
        #expect(host.app.screen == .emailCode)
        #expect(host.app.message == .codeSent)
        host.enter(.code, "123456")
        host.tap(.verifyCode)
        let answers = host.effects.compactMap {
            if case .send(.answerCustomAuth(_, let session, let answer)) = $0 { session + answer } else { nil }
        }
        #expect(answers == ["sr"])
        #expect(host.app.screen == .enrolmentPrompt)
    }

    @Test(arguments: [("code_mismatch", AppMessage.codeWrong), ("code_expired", .codeExpired)])
    func aCodeThatDoesNotCountIsSaid(code: String, message: AppMessage) {
        var host = TestHost()
        host.answers["/authsignal/v1/client/verify/email-otp"] = .json(#"{"errorCode":"\#(code)"}"#, 400)
        host.tap(.emailLogin)
        host.enter(.email, "ada@example.com")
        host.tap(.sendCode)
        host.enter(.code, "000000")
        host.tap(.verifyCode)
        #expect(host.app.screen == .emailCode)
        #expect(host.app.message == message)
        #expect(host.app.session == nil)
    }

    @Test func aPasskeySignsInWithoutAskingForAnAddress() {
        var host = TestHost()
        host.tap(.passkey)
        #expect(host.app.screen == .enrolmentPrompt)
        #expect(!host.screens.contains(.emailLogin))
        #expect(host.paths.filter { $0.contains("passkey") }.count == 2)
    }

    @Test(arguments: [PasskeyAnswer.userCanceled, .noCredential])
    func aCancellationAndAMissingPasskeyLeadToTheEmailCodeOnce(answer: PasskeyAnswer) {
        var host = TestHost()
        host.passkeys = [answer]
        host.tap(.passkey)
        #expect(host.app.screen == .emailLogin)
        #expect(host.app.message == .passkeyMissing)
        host.tap(.back)
        #expect(host.app.screen == .providerSelection)
        // No request starts by itself again.
        #expect(host.count("/authsignal/v1/client/user-authenticators/passkey/authentication-options") == 1)
    }

    @Test func theConditionalRequestStartsEarlyAndIsWithdrawnBeforeAModalOne() throws {
        var host = TestHost(.testing { $0.hasConditionalMediation = true })
        #expect(host.app.isConditionalRequestOpen)
        #expect(host.app.offers.contains(.passkeySuggestion))
        host.tap(.passkey)
        let abort = try #require(host.effects.firstIndex(of: .abortPasskeyRequest))
        let modal = try #require(host.effects.firstIndex(of: .getPasskey(options: "{}", isConditional: false)))
        #expect(abort < modal)
    }

    @Test func withoutConditionalMediationNoConditionalRequestIsMade() {
        let host = TestHost(.testing { $0.hasConditionalMediation = false })
        #expect(host.count("/authsignal") == 0)
        #expect(!host.app.offers.contains(.passkeySuggestion))
    }

    @Test func aChosenSuggestionSignsIn() {
        var host = TestHost(.testing { $0.hasConditionalMediation = true })
        host.handle(.passkeyAnswered(.response("{}")))
        #expect(host.app.session != nil)
        #expect(host.count("/authsignal/v1/client/verify/passkey") == 1)
    }

    @Test func aRemovedPasskeyLeadsToTheEmailCode() {
        var host = TestHost()
        host.answers["/authsignal/v1/client/verify/passkey"] = .json(#"{"errorCode":"passkey_refused"}"#, 400)
        host.tap(.passkey)
        #expect(host.app.screen == .emailLogin)
        #expect(host.app.message == .passkeyRefused)
    }

    @Test func aCodeReadAfterItsChallengeEndedSignsInWithASecondChallengeOnce() {
        var host = TestHost()
        host.tap(.emailLogin)
        host.enter(.email, "ada@example.com")
        host.tap(.sendCode)
        host.answers["/cognito/"] = .json(#"{"__type":"NotAuthorizedException"}"#, 400)
        host.effects = []
        host.enter(.code, "123456")
        host.tap(.verifyCode)
        #expect(host.app.screen == .emailLogin)
        #expect(host.app.message == .loginFailed)
        // The answer, the second challenge, and no third.
        #expect(host.count("/cognito/") == 2)
    }

    @Test func removingAPasskeyAsksForOneAndSendsItsToken() {
        var host = TestHost.loggedIn()
        host.tap(.settings, .passkeys, .removePasskey)
        let tokens = host.effects.compactMap {
            if case .send(.deletePasskey("1", let token)) = $0 { token } else { nil }
        }
        #expect(tokens == ["r"])
        #expect(host.app.message == .passkeyRemoved)
        host.passkeys = [.userCanceled]
        host.effects = []
        host.tap(.removePasskey)
        #expect(host.app.message == .passkeyKept)
        #expect(host.count("/authsignal/v1/client/user-authenticators/1") == 0)
    }

    @Test func thePasskeyOfAnotherAccountRemovesNothing() {
        var host = TestHost.loggedIn()
        host.answers["/authsignal/v1/client/verify/passkey"] = .json(
            #"{"isVerified":true,"username":"ola@example.com","accessToken":"r"}"#)
        host.tap(.settings, .passkeys, .removePasskey)
        #expect(host.app.message == .passkeyOfAnother)
        #expect(host.count("/authsignal/v1/client/user-authenticators/1") == 0)
        #expect(!host.effects.contains(.signalUnknownPasskey(id: "1")))
    }

    @Test(arguments: [
        ("credential.last", 409, AppMessage.passkeyIsLast), ("reauthentication.required", 403, .loginTooOld),
        ("passkeys.tooMany", 409, .passkeyNotAdded),
    ])
    func aRefusalAboutPasskeysSaysWhy(code: String, status: Int, message: AppMessage) {
        var host = TestHost.loggedIn()
        let isRemoval = message == .passkeyIsLast
        let path =
            isRemoval
            ? "/authsignal/v1/client/user-authenticators/1"
            : "/authsignal/v1/client/user-authenticators/passkey/registration-options"
        host.answers[path] = .json(#"{"error":{"code":"\#(code)","message":"…"}}"#, status)
        host.tap(.settings, .passkeys, isRemoval ? .removePasskey : .addPasskey)
        #expect(host.app.screen == .passkeySettings)
        #expect(host.app.message == message)
    }
}
