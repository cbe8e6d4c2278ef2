extension ReferenceApp {
    mutating func tap(_ button: AppButton) {
        switch button {
        case .bankID: startLogin(.bankID)
        case .vipps: startLogin(.vipps)
        case .passwordLogin: show(.passwordLogin)
        case .emailLogin: showEmailLogin()
        case .passkey: signInWithPasskey()
        // The platform answers the open request with the passkey that the user takes.
        case .passkeySuggestion: break
        case .logIn: logInWithPassword()
        case .sendCode: if [.passwordReset, .newPassword].contains(screen) { requestReset() } else { requestCode() }
        case .forgotPassword: show(.passwordReset)
        case .savePassword: saveNewPassword()
        case .verifyCode: verifyCode()
        case .approve: perform(.answerPage(approves: true))
        case .decline: perform(.answerPage(approves: false))
        case .close: closePage()
        case .enable, .enableBiometrics: enrol()
        case .skip: skipEnrolment()
        case .tryAgain: tryAgain()
        case .useProvider: showProviderSelection()
        case .usePassword: if screen == .stepUp { show(.stepUpPassword) } else { show(.passwordLogin) }
        case .settings: showSettings()
        case .activities: show(.activities, queueMessage)
        case .people: openPeople()
        case .personalData: begin(.personalData)
        case .expenseClaim: show(.expenseClaim)
        case .submitClaim: submitClaim()
        case .registerActivity: registerActivity()
        case .logOut: logOut()
        case .disableBiometrics: show(.disableConfirmation, .disableQuestion)
        case .confirm: if screen == .stepUpPassword { confirmWithPassword() } else { disableBiometrics() }
        case .passkeys: openPasskeySettings()
        case .addPasskey: addPasskey()
        // A button of a row. Without its row it names a passkey only if the list has one.
        case .removePasskey: if passkeys.count == 1 { removePasskey(0) }
        case .notNow: continueToHome()
        case .back, .cancel: goBack()
        }
    }

    mutating func tap(_ button: AppButton, ofRow row: Int) {
        if button == .removePasskey { removePasskey(row) }
    }

    /// Leaves a screen; the request that it waited for no longer counts.
    private mutating func goBack() {
        (awaited, buttonAfterRefresh) = (nil, nil)
        customAuth = screen == .emailCode ? customAuth : nil
        passkeyWork = nil
        purpose = nil
        switch screen {
        case .passwordLogin, .emailLogin: showProviderSelection()
        case .emailCode: show(.emailLogin)
        case .passwordReset: show(.passwordLogin)
        case .newPassword:
            endReset()
            show(.passwordReset)
        case .working where passwordReset != nil: show(.newPassword)
        case .disableConfirmation, .passkeySettings: showSettings()
        case .working where session == nil && !preferences.hasSession: showProviderSelection()
        case .working: if session == nil { showProviderSelection() } else { show(origin) }
        case .stepUp, .stepUpPassword, .people, .personalData, .activities, .expenseClaim, .settings: showHome()
        case .providerSelection, .bankIDPage, .vippsPage, .enrolmentPrompt, .biometricsRequired, .unlock,
            .peerMentorHome,
            .coordinatorHome, .administratorHome, .passkeyOffer:
            break
        }
    }

    private mutating func tryAgain() {
        switch screen {
        // The policy, or the item, may have changed meanwhile.
        case .stepUp: if let protectedAction { begin(protectedAction, isRepeated: isStepUpRepeated) }
        case .providerSelection: if let failedProvider { startLogin(failedProvider) }
        default: promptForUnlock()
        }
    }
}
