/// A screen of the app; the raw value is its name in scenarios.
package enum AppScreen: String, CaseIterable, Sendable {
    case providerSelection = "provider-selection"
    case passwordLogin = "password-login"
    /// The address to which the code of a password reset goes.
    case passwordReset = "password-reset"
    /// The code and the new password.
    case newPassword = "new-password"
    case emailLogin = "email-login"
    case emailCode = "email-code"
    case providerPage = "provider-page"
    /// A request is on its way, and the user can only cancel it.
    case working
    /// The offer of biometric login after a login.
    case enrolmentPrompt = "enrolment-prompt"
    /// The organisation requires biometric login, and it is not enabled yet.
    case biometricsRequired = "biometrics-required"
    /// The biometric check of a user who has a session.
    case unlock
    case memberHome = "member-home"
    case leaderHome = "leader-home"
    case administratorHome = "administrator-home"
    case settings
    case disableConfirmation = "disable-confirmation"
    case passkeySettings = "passkey-settings"
    /// The offer of a passkey after an e-mail login of a new user.
    case passkeyOffer = "passkey-offer"
    /// The activities, which can be registered without a network.
    case activities
    case expenseClaim = "expense-claim"
    case stepUp = "step-up"
    /// The password in place of the biometric at a step-up.
    case stepUpPassword = "step-up-password"
    case personalData = "personal-data"

    package var isHome: Bool {
        switch self {
        case .memberHome, .leaderHome, .administratorHome: true
        default: false
        }
    }
}

/// A user's role; each has a home of its own.
package enum AppRole: String, CaseIterable, Codable, Sendable {
    case member, leader, administrator

    var home: AppScreen {
        switch self {
        case .member: .memberHome
        case .leader: .leaderHome
        case .administrator: .administratorHome
        }
    }
}
