/// The passkeys of the signed-in user; they complement biometric unlock and change nothing of it.
extension ReferenceApp {
    mutating func openPasskeySettings() {
        guard let session else { return }
        ask(.listPasskeys(accessToken: session.accessToken), from: .settings)
    }

    mutating func passkeysListed(_ answer: AppAnswer) {
        guard let list = answer.value([Authenticator].self) else {
            passkeyMessage = nil
            return passkeyRequestFailed(answer, at: .settings)
        }
        passkeys = list.compactMap(\.passkey)
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
        guard let ceremony = PasskeyCeremony(answer) else {
            passkeyWork = nil
            return passkeyRequestFailed(answer, at: screen, .passkeyNotAdded)
        }
        passkeyChallenge = ceremony.challenge
        perform(.createPasskey(options: ceremony.options))
    }

    mutating func registrationEnded(_ answer: AppAnswer) {
        guard case .registration(let screen) = passkeyWork else { return }
        passkeyWork = nil
        guard answer.isSuccess else { return passkeyRequestFailed(answer, at: screen, .passkeyNotAdded) }
        guard screen == .passkeySettings else { return continueToHome() }
        passkeyMessage = .passkeyAdded
        openPasskeySettings()
    }

    /// Removes a passkey of the list; the server wants a passkey's signature for that, and decides whether it may go.
    mutating func removePasskey(_ row: Int) {
        let passkey = passkeys[row]
        passkeyWork = .removal(id: passkey.credentialId)
        ask(.beginPasskeyRemoval, from: .passkeySettings)
    }

    mutating func removalConfirmed(_ answer: AppAnswer) {
        guard case .removal(let id) = passkeyWork else { return }
        passkeyWork = nil
        guard let confirmation = answer.value(SignalAnswer.self) else {
            return passkeyRequestFailed(answer, at: .passkeySettings, .passkeyKept)
        }
        // A device with several accounts lets its user choose another one's passkey.
        if let email = session?.user.email, confirmation.username?.lowercased() != email.lowercased() {
            return show(.passkeySettings, .passkeyOfAnother)
        }
        ask(.deletePasskey(id: id, token: confirmation.token), from: .passkeySettings)
    }

    mutating func passkeyDeleted(_ id: String, _ answer: AppAnswer) {
        // Another device may have removed it before.
        guard answer.isSuccess || answer.code == "credential.notFound" else {
            return passkeyRequestFailed(answer, at: .passkeySettings, .passkeyKept)
        }
        // Without the signal the provider goes on suggesting the passkey (WebAuthn L3 §5.1.10).
        perform(.signalUnknownPasskey(id: id))
        passkeyMessage = .passkeyRemoved
        openPasskeySettings()
    }

    /// Says why a request about passkeys had no effect; a session that has ended leads to the login.
    private mutating func passkeyRequestFailed(
        _ answer: AppAnswer, at screen: AppScreen, _ message: AppMessage? = nil
    ) {
        switch answer.code {
        case "credential.last": show(screen, .passkeyIsLast)
        case "reauthentication.required": show(screen, .loginTooOld)
        case "session_expired", "session_not_found", "bad_jwt":
            accessRefused()
            if session != nil { showHome() }
        default: show(screen, answer.isOutage ? outageMessage : message ?? .serviceUnavailable)
        }
    }
}
