/// A password reset that is on its way.
struct PendingReset: Hashable, Sendable {
    let email: String
    /// The session that the code opened, which the app uses only after the password is set.
    var session: AppSession?
}

/// A new password, for a user who reads a code in the mailbox of the address.
extension ReferenceApp {
    mutating func requestReset() {
        guard let email = screen == .passwordReset ? fields[.email] : passwordReset?.email, !email.isEmpty else {
            return
        }
        ask(.recover(email: email), from: screen)
    }

    mutating func saveNewPassword() {
        guard let reset = passwordReset, let password = fields[.password], !password.isEmpty else {
            return show(.newPassword, .resetIncomplete)
        }
        if let session = reset.session {
            ask(.setPassword(password, accessToken: session.accessToken), from: .newPassword)
        } else if let code = fields[.code], !code.isEmpty {
            ask(.verifyRecovery(email: reset.email, code: code), from: .newPassword)
        } else {
            show(.newPassword, .resetIncomplete)
        }
    }

    mutating func resetAnswered(_ request: AppRequest, _ answer: AppAnswer) {
        switch request {
        case .recover(let email):
            guard answer.isSuccess else { return show(origin, outageMessage) }
            endReset()
            passwordReset = PendingReset(email: email)
            show(.newPassword, .resetCodeSent)
        case .verifyRecovery:
            guard let session = answer.value(AppSession.self) else {
                return show(.newPassword, answer.isOutage ? outageMessage : .resetCodeWrong)
            }
            passwordReset?.session = session
            fields[.code] = nil
            saveNewPassword()
        default: passwordSet(answer)
        }
    }

    private mutating func passwordSet(_ answer: AppAnswer) {
        guard let reset = passwordReset, var session = reset.session else { return show(.passwordReset) }
        if answer.isSuccess {
            if let user = answer.value(AppSession.User.self) { session.user = user }
            passwordReset = nil
            signedIn(session)
        } else if answer.code == "reauthentication_needed", let password = fields[.password] {
            // The answer to an earlier attempt was lost, or the code is too old: the login tells which.
            endReset()
            ask(.passwordLogin(email: reset.email, password: password), from: .passwordLogin)
        } else {
            show(.newPassword, answer.isOutage ? outageMessage : .passwordWeak)
        }
    }

    /// Ends a reset, and the session of a code that set no password.
    mutating func endReset() {
        if let session = passwordReset?.session {
            send(.logOut(accessToken: session.accessToken, refreshToken: session.refreshToken))
        }
        (passwordReset, fields[.code]) = (nil, nil)
    }
}
