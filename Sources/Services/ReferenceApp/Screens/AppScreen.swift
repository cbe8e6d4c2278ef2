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
    /// The page of BankID in the in-app browser, or its app.
    case bankIDPage = "bankid-page"
    /// The page of Vipps in the in-app browser, or its app.
    case vippsPage = "vipps-page"
    /// A request is on its way, and the user can only cancel it.
    case working
    /// The offer of biometric login after a login.
    case enrolmentPrompt = "enrolment-prompt"
    /// The organisation requires biometric login, and it is not enabled yet.
    case biometricsRequired = "biometrics-required"
    /// The biometric check of a user who has a session.
    case unlock
    case peerMentorHome = "peer-mentor-home"
    case coordinatorHome = "coordinator-home"
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
    /// The members that a coordinator or an administrator sees.
    case people

    package var isHome: Bool {
        switch self {
        case .peerMentorHome, .coordinatorHome, .administratorHome: true
        default: false
        }
    }
}

/// A user's role: Peer Mentor, Coordinator or Organization Administrator; each has a home of its own.
package enum AppRole: String, CaseIterable, Codable, Sendable {
    case peerMentor = "peer-mentor"
    case coordinator
    case organizationAdministrator = "organization-administrator"

    /// The role as the organisation calls it.
    var title: String {
        switch self {
        case .peerMentor: "Peer Mentor"
        case .coordinator: "Coordinator"
        case .organizationAdministrator: "Organization Administrator"
        }
    }

    var home: AppScreen {
        switch self {
        case .peerMentor: .peerMentorHome
        case .coordinator: .coordinatorHome
        case .organizationAdministrator: .administratorHome
        }
    }
}
