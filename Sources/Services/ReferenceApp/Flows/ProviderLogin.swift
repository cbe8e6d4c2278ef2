/// Login at BankID or Vipps: the authorization code flow with PKCE in the in-app browser, or in the provider's app.
extension ReferenceApp {
    /// Shows the ways to log in; nothing starts by itself.
    mutating func showProviderSelection(_ message: AppMessage? = nil, retry provider: Provider? = nil) {
        (attempt, pendingLink, purpose, awaited, customAuth) = (nil, nil, nil, nil, nil)
        passkeyWork = nil
        failedProvider = provider
        show(.providerSelection, message ?? (settings.sensor == .none ? .noSensor : nil))
        beginConditionalRequest()
    }

    /// Opens the provider's page with a verifier, state and nonce of this attempt; a retry has its own.
    mutating func startLogin(_ provider: Provider) {
        abortConditionalRequest()
        let attempt = LoginAttempt(provider, random: random)
        self.attempt = attempt
        // The provider's app may push this app out of memory; the attempt has to outlive it.
        perform(.store(.loginAttempt, attempt.stored, .unguarded))
        show(provider.page, .consent(provider))
        perform(.openPage(attempt.pagePath))
    }

    /// The user closes the browser; no callback will come.
    mutating func closePage() {
        guard let provider = endAttempt() else { return showProviderSelection() }
        perform(.closePage)
        showProviderSelection(.loginCancelled(provider))
    }

    mutating func pageFailed() {
        guard let provider = endAttempt() else { return }
        showProviderSelection(isOnline ? .providerUnavailable(provider) : .loginOffline, retry: provider)
    }

    /// Reads a callback; after a cold start its attempt is in secure storage.
    mutating func follow(_ link: String) {
        // A login has ended the attempts before it; a late link does not replace its session (RFC 9700 §4.7).
        guard session == nil else { return perform(.closePage) }
        guard let attempt else {
            pendingLink = link
            return perform(.read(.loginAttempt))
        }
        follow(link, of: attempt)
    }

    mutating func readAttempt(_ reading: ItemReading) {
        guard let link = pendingLink else { return }
        pendingLink = nil
        guard case .value(let text) = reading, let attempt = LoginAttempt(stored: text) else { return }
        self.attempt = attempt
        follow(link, of: attempt)
    }

    private mutating func follow(_ link: String, of attempt: LoginAttempt) {
        perform(.closePage)
        let callback = attempt.read(link)
        _ = endAttempt()
        switch callback {
        case .code(let code):
            ask(
                .providerLogin(attempt.provider, code: code, verifier: attempt.verifier, nonce: attempt.nonce),
                from: .providerSelection)
        case .cancelled: showProviderSelection(.loginCancelled(attempt.provider))
        case .failed, .foreign: showProviderSelection(.loginFailed, retry: attempt.provider)
        }
    }

    mutating func providerLoginAnswered(_ provider: Provider, _ answer: AppAnswer) {
        if let session = answer.value(AppSession.self) {
            signedIn(session)
        } else {
            showProviderSelection(problem(answer, at: provider), retry: provider)
        }
    }

    /// Ends the attempt; its code and verifier are of no use any more.
    private mutating func endAttempt() -> Provider? {
        guard let provider = attempt?.provider else { return nil }
        attempt = nil
        perform(.delete(.loginAttempt))
        return provider
    }

    /// The message about a login that opened no session: only the gateway knows whether the provider is the cause.
    private func problem(_ answer: AppAnswer, at provider: Provider) -> AppMessage {
        guard answer.isOutage else { return .loginFailed }
        return answer.code == "provider_unavailable" ? .providerUnavailable(provider) : outageMessage
    }
}
