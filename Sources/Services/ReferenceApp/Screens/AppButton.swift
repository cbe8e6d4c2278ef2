/// A button on a screen; the raw value is its title.
package enum AppButton: String, CaseIterable, Sendable {
    case bankID = "Log in with BankID"
    case vipps = "Log in with Vipps"
    case passwordLogin = "Log in with e-mail and password"
    case emailLogin = "Log in with an e-mail code"
    case passkey = "Sign in with a passkey"
    /// The suggestion above the keyboard of a user name field.
    case passkeySuggestion = "Use the suggested passkey"
    case logIn = "Log in"
    case forgotPassword = "Forgot your password?"
    case savePassword = "Save the password"
    case sendCode = "Send code"
    case verifyCode = "Verify code"
    case back = "Back"
    case cancel = "Cancel"
    case approve = "Approve"
    case decline = "Decline"
    /// Closes the in-app browser, which sends no callback.
    case close = "Close"
    case enable = "Enable"
    case skip = "Skip"
    case tryAgain = "Try again"
    case useProvider = "Use BankID or Vipps"
    case usePassword = "Use e-mail and password"
    case settings = "Settings"
    case activities = "Activities"
    case people = "People"
    case personalData = "Personal data"
    case expenseClaim = "Expense claim"
    case logOut = "Log out"
    case enableBiometrics = "Enable biometric login"
    case disableBiometrics = "Disable biometric login"
    case confirm = "Confirm"
    case passkeys = "Passkeys"
    case addPasskey = "Add a passkey"
    case removePasskey = "Remove the passkey"
    case notNow = "Not now"
    case registerActivity = "Register activity"
    case submitClaim = "Submit claim"

    /// Whether it decides a login at a provider.
    package var isDecision: Bool { self == .approve || self == .decline }
}

/// A text field on a screen; the raw value is its label.
package enum AppField: String, CaseIterable, Sendable {
    case email = "E-mail"
    case password = "Password"
    case code = "Code"
    case activity = "Activity"
    case amount = "Amount"

    /// The content type by which the system's AutoFill knows a field (UITextContentType, View.setAutofillHints).
    package enum ContentType: String, CaseIterable, Sendable {
        case username, password
        case oneTimeCode = "one-time-code"
    }

    package var contentType: ContentType? {
        switch self {
        case .email: .username
        case .password: .password
        case .code: .oneTimeCode
        case .activity, .amount: nil
        }
    }
}

extension ReferenceApp {
    package var inputs: [AppField] {
        switch screen {
        case .passwordLogin: [.email, .password]
        case .emailLogin, .passwordReset: [.email]
        case .newPassword: [.code, .password]
        case .emailCode: [.code]
        case .activities: [.activity]
        case .expenseClaim: [.amount]
        case .stepUpPassword: [.password]
        case .providerSelection, .bankIDPage, .vippsPage, .working, .enrolmentPrompt, .biometricsRequired, .unlock,
            .peerMentorHome,
            .coordinatorHome, .administratorHome, .settings, .disableConfirmation, .passkeySettings, .passkeyOffer,
            .stepUp,
            .people, .personalData:
            []
        }
    }

    /// The buttons of the current screen, the most prominent first.
    package var offers: [AppButton] {
        switch screen {
        case .providerSelection:
            (failedProvider == nil ? [] : [.tryAgain]) + [.bankID, .vipps, .passwordLogin, .emailLogin, .passkey]
                + suggestion
        case .passwordLogin: [.logIn, .forgotPassword, .back]
        case .passwordReset: [.sendCode, .back]
        case .newPassword: [.savePassword, .sendCode, .back]
        case .emailLogin: [.sendCode, .back] + suggestion
        case .emailCode: [.verifyCode, .sendCode, .back]
        case .bankIDPage, .vippsPage: [.approve, .decline, .close]
        case .working: [.cancel]
        case .enrolmentPrompt: [.enable, .skip]
        case .biometricsRequired: [.enable, .logOut]
        case .unlock: [.tryAgain, .useProvider, .usePassword]
        case .peerMentorHome: [.activities, .personalData, .expenseClaim, .settings, .logOut]
        case .coordinatorHome, .administratorHome:
            [.activities, .people, .personalData, .expenseClaim, .settings, .logOut]
        case .settings:
            biometricsSwitch
                + [.passkeys, .back]
        case .disableConfirmation: [.confirm, .cancel]
        case .passkeySettings: [.addPasskey] + (passkeys.isEmpty ? [] : [.removePasskey]) + [.back]
        case .passkeyOffer: [.addPasskey, .notNow]
        case .activities: [.registerActivity, .back]
        case .expenseClaim: [.submitClaim, .back]
        case .stepUp: [.tryAgain] + (hasPassword ? [.usePassword] : []) + [.back]
        case .stepUpPassword: [.confirm, .back]
        case .people, .personalData: [.back]
        }
    }

    /// The toggle of biometric login; an organisation that requires it lets no user switch it off.
    private var biometricsSwitch: [AppButton] {
        if preferences.hasBiometrics { return policy == .required ? [] : [.disableBiometrics] }
        return mayEnableBiometrics ? [.enableBiometrics] : []
    }

    private var suggestion: [AppButton] { isConditionalRequestOpen && isPasskeySuggested ? [.passkeySuggestion] : [] }
}
