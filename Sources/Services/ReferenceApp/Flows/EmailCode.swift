/// A custom authentication on its way: a challenge that a result token of an e-mail code or a passkey answers.
struct CustomAuth: Hashable, Sendable {
    var email: String
    var session = ""
    /// The short-lived token that enrols the e-mail address.
    var token = ""
    /// The result token that answers the next challenge at once: of a passkey, or of a code whose challenge had ended.
    var resultToken: String?
    /// Whether a challenge ended before its answer, and another was begun.
    var isRepeated = false
    /// Whether the account was made on the way.
    var isNew = false
}

/// Login with a code by e-mail: `CUSTOM_AUTH`, whose challenge is answered with the result token of the code.
extension ReferenceApp {
    mutating func showEmailLogin(_ message: AppMessage? = nil) {
        (customAuth, passkeyWork) = (nil, nil)
        show(.emailLogin, message)
    }

    mutating func requestCode() {
        let email = screen == .emailCode ? customAuth?.email : fields[.email]
        guard let email, !email.isEmpty else { return }
        abortConditionalRequest()
        startCustomAuth(CustomAuth(email: email, isNew: customAuth?.isNew ?? false))
    }

    mutating func startCustomAuth(_ auth: CustomAuth) {
        customAuth = auth
        ask(.startCustomAuth(email: auth.email), from: .emailLogin)
    }

    mutating func verifyCode() {
        guard let code = fields[.code], !code.isEmpty, let customAuth else { return }
        fields[.code] = nil
        ask(.verifyCode(code: code, token: customAuth.token), from: .emailCode)
    }

    mutating func customAuthAnswered(_ request: AppRequest, _ answer: AppAnswer) {
        guard let auth = customAuth else { return }
        switch request {
        case .startCustomAuth: challengeAnswered(auth, answer)
        case .signUp: if answer.isSuccess { startCustomAuth(auth) } else { customAuthFailed(answer) }
        case .sendCode: if answer.isSuccess { show(.emailCode, .codeSent) } else { customAuthFailed(answer) }
        case .verifyCode:
            if let result = answer.value(SignalAnswer.self) {
                respond(auth, result.token)
            } else if answer.isOutage {
                show(.emailCode, outageMessage)
            } else {
                show(
                    .emailCode,
                    answer.isExpired ? .codeExpired : answer.code == "too_many_attempts" ? .codeTooOften : .codeWrong)
            }
        case .answerCustomAuth(_, _, let token):
            if let tokens = answer.value(CustomAuthAnswer.self)?.tokens {
                ask(.customAuthLogin(accessToken: tokens.accessToken), from: .emailLogin)
            } else if answer.code.hasSuffix("NotAuthorizedException"), !auth.isRepeated {
                // A challenge lives shorter than a code: the user who read the e-mail late has a token that still counts.
                var repeated = auth
                (repeated.resultToken, repeated.isRepeated) = (token, true)
                startCustomAuth(repeated)
            } else {
                customAuthFailed(answer)
            }
        case .customAuthLogin:
            if let session = answer.value(AppSession.self) {
                customAuth = nil
                signedIn(session, offersPasskey: auth.isNew)
            } else {
                customAuthFailed(answer)
            }
        default: break
        }
    }

    private mutating func challengeAnswered(_ auth: CustomAuth, _ answer: AppAnswer) {
        var auth = auth
        guard let challenge = answer.value(CustomAuthAnswer.self), let session = challenge.session else {
            guard answer.code.hasSuffix("UserNotFoundException"), !auth.isNew else { return customAuthFailed(answer) }
            auth.isNew = true
            customAuth = auth
            // The service demands a password; this one is thrown away and opens nothing.
            let password = LoginAttempt.base64URL(random(32))
            return ask(.signUp(email: auth.email, password: password), from: .emailLogin)
        }
        (auth.session, auth.token) = (session, challenge.parameters?.token ?? "")
        customAuth = auth
        if let token = auth.resultToken {
            respond(auth, token)
        } else {
            ask(.sendCode(email: auth.email, token: auth.token), from: .emailLogin)
        }
    }

    private mutating func respond(_ auth: CustomAuth, _ token: String) {
        ask(.answerCustomAuth(email: auth.email, session: auth.session, answer: token), from: .emailLogin)
    }

    private mutating func customAuthFailed(_ answer: AppAnswer) {
        let refusal: AppMessage = answer.code == "rate_limited" ? .codesBlocked : .loginFailed
        showEmailLogin(answer.isOutage ? outageMessage : answer.isExpired ? .codeExpired : refusal)
    }
}

extension AppAnswer {
    fileprivate var isExpired: Bool { code.lowercased().contains("expired") }
}
