/// Login with e-mail address and password.
extension ReferenceApp {
    mutating func logInWithPassword() {
        guard let email = fields[.email], let password = fields[.password], !email.isEmpty, !password.isEmpty else {
            return show(.passwordLogin, .passwordWrong)
        }
        ask(.passwordLogin(email: email, password: password), from: .passwordLogin)
    }

    mutating func passwordLoginAnswered(_ answer: AppAnswer) {
        fields[.password] = nil
        if let session = answer.value(AppSession.self) {
            signedIn(session)
        } else {
            show(.passwordLogin, passwordProblem(answer))
        }
    }

    func passwordProblem(_ answer: AppAnswer) -> AppMessage {
        if answer.isOutage { return outageMessage }
        return answer.code == "over_request_rate_limit" ? .passwordTooOften : .passwordWrong
    }
}
