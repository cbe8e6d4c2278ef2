/// A passkey ceremony on its way.
enum PasskeyWork: Hashable, Sendable {
    case signIn
    case registration(from: AppScreen)
    case removal(id: String)
}

/// Sign-in with a passkey: a conditional request behind the user name field, and a modal one at a tap.
extension ReferenceApp {
    /// Begins the request that fills nothing and waits for the user's choice, before any field is focused.
    mutating func beginConditionalRequest() {
        guard isOnline, !isConditionalRequestOpen else { return }
        decisions.insert(.conditionalMediation)
        guard settings.hasConditionalMediation else { return }
        send(.beginPasskeySignIn(isConditional: true))
    }

    mutating func conditionalRequestBegun(_ answer: AppAnswer) {
        guard session == nil, passkeyWork == nil, [.providerSelection, .emailLogin].contains(screen),
            let ceremony = PasskeyCeremony(answer)
        else { return }
        isConditionalRequestOpen = true
        passkeyChallenge = ceremony.challenge
        perform(.getPasskey(options: ceremony.options, isConditional: true))
    }

    /// Withdraws the conditional request: a platform refuses a second request while one waits.
    mutating func abortConditionalRequest() {
        guard isConditionalRequestOpen else { return }
        isConditionalRequestOpen = false
        perform(.abortPasskeyRequest)
    }

    mutating func signInWithPasskey() {
        abortConditionalRequest()
        passkeyWork = .signIn
        ask(.beginPasskeySignIn(isConditional: false), from: .providerSelection)
    }

    mutating func passkeyAnswered(_ answer: PasskeyAnswer) {
        if isConditionalRequestOpen, passkeyWork == nil {
            isConditionalRequestOpen = false
            guard case .response(let response) = answer else { return }
            passkeyWork = .signIn
            return ask(
                .completePasskeySignIn(challenge: passkeyChallenge, response: response), from: .providerSelection)
        }
        guard let work = passkeyWork else { return }
        switch (work, answer) {
        case (.signIn, .response(let response)):
            ask(.completePasskeySignIn(challenge: passkeyChallenge, response: response), from: .providerSelection)
        // iOS cannot tell a user who cancels from a device without a passkey, so both go the same way.
        case (.signIn, .userCanceled), (.signIn, .noCredential): showEmailLogin(.passkeyMissing)
        case (.signIn, .refused): showProviderSelection(.loginFailed)
        case (.registration(let screen), .response(let response)):
            guard let session else { return showProviderSelection() }
            ask(
                .completePasskeyRegistration(
                    challenge: passkeyChallenge, response: response, accessToken: session.accessToken), from: screen)
        case (.registration(let screen), _):
            passkeyWork = nil
            show(screen, .passkeyNotAdded)
        case (.removal, .response(let response)):
            ask(.completePasskeyRemoval(challenge: passkeyChallenge, response: response), from: .passkeySettings)
        case (.removal, _):
            passkeyWork = nil
            show(.passkeySettings, .passkeyKept)
        }
    }

    mutating func passkeyRequestAnswered(_ request: AppRequest, _ answer: AppAnswer) {
        switch request {
        case .beginPasskeySignIn, .beginPasskeyRemoval:
            guard let ceremony = PasskeyCeremony(answer) else { return passkeyRequestNotBegun(answer) }
            passkeyChallenge = ceremony.challenge
            perform(.getPasskey(options: ceremony.options, isConditional: false))
        case .completePasskeySignIn:
            passkeyWork = nil
            guard let result = answer.value(SignalAnswer.self), let name = result.username else {
                return passkeySignInFailed(answer)
            }
            startCustomAuth(CustomAuth(email: name, resultToken: result.token))
        case .beginPasskeyRegistration: registrationBegun(answer)
        case .completePasskeyRegistration: registrationEnded(answer)
        case .listPasskeys: passkeysListed(answer)
        case .completePasskeyRemoval: removalConfirmed(answer)
        case .deletePasskey(let id, _): passkeyDeleted(id, answer)
        default: break
        }
    }

    private mutating func passkeyRequestNotBegun(_ answer: AppAnswer) {
        if case .removal = passkeyWork {
            passkeyWork = nil
            show(.passkeySettings, answer.isOutage ? outageMessage : .passkeyKept)
        } else {
            passkeySignInFailed(answer)
        }
    }

    private mutating func passkeySignInFailed(_ answer: AppAnswer) {
        switch answer.code {
        case "user_canceled", "no_credential": showEmailLogin(.passkeyMissing)
        // A passkey that was removed, or of another service: the code is the way in that is left.
        case "passkey_refused": showEmailLogin(.passkeyRefused)
        default: showProviderSelection(answer.isOutage ? outageMessage : .loginFailed)
        }
    }
}
