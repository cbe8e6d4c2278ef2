/// A screen of the app; the raw value is its name in scenarios.
package enum AppScreen: String, CaseIterable, Sendable {
    /// The ways to log in.
    case providerSelection = "provider-selection"
    /// E-mail address and password.
    case passwordLogin = "password-login"
    /// The e-mail address for a code.
    case emailLogin = "email-login"
    /// The code from the e-mail.
    case emailCode = "email-code"
    /// The provider's page in the in-app browser.
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
    /// The settings of biometric login.
    case settings
    /// The question before biometric login is disabled.
    case disableConfirmation = "disable-confirmation"
    /// The list of the user's passkeys.
    case passkeySettings = "passkey-settings"
    /// The offer of a passkey after an e-mail login of a new user.
    case passkeyOffer = "passkey-offer"
    /// The activities, which can be registered without a network.
    case activities
    /// The form of an expense claim.
    case expenseClaim = "expense-claim"
    /// The check of the user before protected data are shown or sent.
    case stepUp = "step-up"
    /// The password in place of the biometric at a step-up.
    case stepUpPassword = "step-up-password"
    /// The personal data in the clear.
    case personalData = "personal-data"

    /// Whether it is the home of a role.
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
