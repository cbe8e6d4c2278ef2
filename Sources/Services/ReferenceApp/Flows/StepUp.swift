/// An action that needs the user again, within a session.
enum ProtectedAction: Hashable, Sendable {
    case personalData
    case expenseClaim(amount: Int, key: String)
}

/// The check of the user before protected data are shown or sent.
extension ReferenceApp {
    /// Asks for the biometric, or for the password where biometric login is not enabled.
    mutating func begin(_ action: ProtectedAction) {
        protectedAction = action
        if preferences.hasBiometrics {
            failures = 0
            promptForStepUp()
        } else if session?.user.email != nil {
            show(.stepUpPassword)
        } else {
            showHome(.enableFirst)
        }
    }

    mutating func submitClaim() {
        // The field is in kroner, the service counts in øre.
        guard let kroner = fields[.amount].flatMap(Double.init), (0.01...1_000_000).contains(kroner) else { return }
        begin(.expenseClaim(amount: Int((kroner * 100).rounded()), key: LoginAttempt.base64URL(random(12))))
    }

    mutating func promptForStepUp() {
        show(.stepUp)
        purpose = .stepUp
        perform(.verifyUser)
    }

    mutating func verifiedForStepUp(_ trouble: SensorTrouble?) {
        guard screen == .stepUp else { return }
        if let trouble {
            show(.stepUp, trouble.message)
        } else {
            performProtectedAction()
        }
    }

    mutating func confirmWithPassword() {
        guard let email = session?.user.email, let password = fields[.password], !password.isEmpty else { return }
        ask(.stepUpPassword(email: email, password: password), from: .stepUpPassword)
    }

    mutating func stepUpPasswordAnswered(_ answer: AppAnswer) {
        fields[.password] = nil
        if answer.isSuccess { performProtectedAction() } else { show(.stepUpPassword, answer.passwordProblem) }
    }

    private mutating func performProtectedAction() {
        guard let session, let protectedAction else { return showHome() }
        switch protectedAction {
        case .personalData:
            ask(.personalData(accessToken: session.accessToken), from: session.user.role.home)
        case .expenseClaim(let amount, let key):
            ask(
                .expenseClaim(amount: amount, key: key, accessToken: session.accessToken), from: .expenseClaim)
        }
    }

    mutating func personalDataLoaded(_ answer: AppAnswer) {
        guard let data = answer.value(RevealedData.self) else { return protectedActionFailed(answer) }
        protectedAction = nil
        show(.personalData)
        revealed = data.lines
    }

    mutating func claimSent(_ answer: AppAnswer) {
        guard answer.isSuccess else { return protectedActionFailed(answer) }
        (fields[.amount], protectedAction) = (nil, nil)
        show(.expenseClaim, .claimSent)
    }

    private mutating func protectedActionFailed(_ answer: AppAnswer) {
        if answer.isUnauthorized {
            accessRefused()
            if self.session != nil { showHome() }
        } else {
            showHome(isOnline ? .serviceUnavailable : .offline)
        }
    }
}
