/// The passkeys of the signed-in user; they complement biometric unlock and change nothing of it.
extension ReferenceApp {
    mutating func openPasskeySettings() {
        guard let session else { return }
        ask(.listPasskeys(accessToken: session.accessToken), from: .settings)
    }

    mutating func passkeysListed(_ answer: AppAnswer) {
        guard let list = answer.value(PasskeyList.self) else { return show(.settings, .serviceUnavailable) }
        passkeys = list.passkeys
        show(.passkeySettings, passkeyMessage)
        passkeyMessage = nil
    }

    mutating func addPasskey() {
        guard let session else { return }
        passkeyWork = .registration(from: screen)
        ask(.beginPasskeyRegistration(accessToken: session.accessToken), from: screen)
    }

    mutating func registrationBegun(_ answer: AppAnswer) {
        guard case .registration(let screen) = passkeyWork else { return }
        guard case .response(200, let options) = answer else {
            passkeyWork = nil
            return show(screen, answer.isOutage ? .serviceUnavailable : .passkeyNotAdded)
        }
        perform(.createPasskey(options: options))
    }

    mutating func registrationEnded(_ answer: AppAnswer) {
        guard case .registration(let screen) = passkeyWork else { return }
        passkeyWork = nil
        guard answer.isSuccess else { return show(screen, .passkeyNotAdded) }
        guard screen == .passkeySettings else { return continueToHome() }
        passkeyMessage = .passkeyAdded
        openPasskeySettings()
    }

    /// Removes the first passkey of the list; the server decides whether it may go.
    mutating func removePasskey() {
        guard let session, let passkey = passkeys.first else { return }
        ask(.deletePasskey(id: passkey.credentialId, accessToken: session.accessToken), from: .passkeySettings)
    }

    mutating func passkeyDeleted(_ answer: AppAnswer) {
        guard answer.isSuccess else { return show(.passkeySettings, .passkeyKept) }
        passkeyMessage = .passkeyRemoved
        openPasskeySettings()
    }
}
