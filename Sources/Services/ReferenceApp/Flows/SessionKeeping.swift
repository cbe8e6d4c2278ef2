/// The session: opening it at the start, refreshing it, and its end.
extension ReferenceApp {
    /// Decides the first screen: the ways to log in, the unlock, or home after a silent refresh.
    mutating func start() {
        (session, message) = (nil, nil)
        (isRefreshing, deliveredKey, isAccessDoubted) = (false, nil, false)
        // A locked app ignores answers to earlier work.
        (awaited, buttonAfterRefresh, protectedAction, passkeyWork, purpose) = (nil, nil, nil, nil, nil)
        if !preferences.hasStarted {
            // On iOS items outlive the app that stored them; an earlier installation's session is not this one's.
            for item in AppItem.allCases { perform(.delete(item)) }
            let name = LoginAttempt.base64URL(random(16))
            keep { ($0.hasStarted, $0.installation) = (true, name) }
        }
        finishLogout()
        guard preferences.hasSession else { return showProviderSelection() }
        // Offline, an ended session still shows cached data behind the local check; online, no prompt asks in vain.
        if hasEnded, isOnline { return endSession(.sessionExpired) }
        guard preferences.hasBiometrics else { return perform(.read(.session)) }
        decisions.insert(.policy)
        guard policy != .forbidden else { return endSession(nil) }
        promptForUnlock()
    }

    /// Handles the return to the screen: after a short absence the screen stays.
    mutating func resume(after away: Duration) {
        if session == nil {
            if screen == .unlock { promptForUnlock() }
            return
        }
        // A user who returns may be another one, so protected data are hidden.
        if !revealed.isEmpty || screen == .people { showHome() }
        if hasEnded, isOnline { return endSession(.sessionExpired) }
        decisions.insert(.lockAfter)
        guard away >= settings.lockAfter else { return sendQueue() }
        if preferences.hasBiometrics {
            start()
        } else if isOnline {
            refresh()
        }
    }

    /// Whether the session has ended by the clock; a server may end it earlier.
    var hasEnded: Bool { preferences.sessionEndsAt.map { now >= $0 } ?? false }

    /// Asks for new tokens before a request that needs the session, where the clock says that the access token has ended.
    ///
    /// - Returns: whether the button waits for them.
    mutating func waitsForTokens(_ button: AppButton) -> Bool {
        guard needsAccess(button), session != nil, hasAccessEnded, isOnline else { return false }
        (buttonAfterRefresh, origin) = (button, screen)
        show(.working)
        refresh()
        return true
    }

    /// Whether a button of this screen sends a request of the session.
    private func needsAccess(_ button: AppButton) -> Bool {
        switch button {
        case .passkeys, .addPasskey, .people, .personalData, .submitClaim: true
        case .confirm: screen == .stepUpPassword
        case .tryAgain: screen == .stepUp
        default: false
        }
    }

    /// Goes on with the button that waited for new tokens.
    mutating func goOnAfterRefresh() {
        guard screen == .working, let button = buttonAfterRefresh else { return }
        buttonAfterRefresh = nil
        let password = fields[.password]
        show(origin)
        fields[.password] = password
        tap(button)
    }

    /// Whether the screen waits for new tokens and for no other answer.
    private var isOnlyRefreshing: Bool { screen == .working && awaited == nil && passkeyWork == nil }

    var hasAccessEnded: Bool { session.map { now >= .seconds($0.expiresAt) } ?? true }

    mutating func openUnguarded(_ reading: ItemReading) {
        guard case .value(let text) = reading, let stored = AppSession(stored: text) else { return endSession(nil) }
        session = stored
        decisions.insert(.policy)
        if policy == .required { return show(.biometricsRequired, .biometricsRequired) }
        guard hasAccessEnded, isOnline else { return showHome() }
        // The refresh comes before home, and nothing of it is shown.
        origin = stored.user.role.home
        refresh()
    }

    /// Asks for new tokens; one refresh at a time, for a refresh token works once.
    mutating func refresh() {
        guard let session, !isRefreshing else { return }
        isRefreshing = true
        send(.refresh(token: session.refreshToken))
    }

    /// Handles an access token that a service did not accept; new tokens that are refused too end the session.
    mutating func accessRefused() {
        // Another request with the same token was refused before.
        guard !isRefreshing else { return }
        guard !isAccessDoubted else { return endSession(.sessionExpired) }
        isAccessDoubted = true
        refresh()
    }

    mutating func refreshed(_ answer: AppAnswer) {
        isRefreshing = false
        guard let role = session?.user.role else { return }
        if let renewed = answer.value(AppSession.self) {
            keep(renewed)
            follow(renewed.policy)
            if screen == .working, buttonAfterRefresh != nil {
                // A step-up reads the new tokens from the item, so the button waits until they are stored.
                if !preferences.hasBiometrics { goOnAfterRefresh() }
            } else if screen == .people, renewed.user.role != role {
                showHome(.roleChanged)
            } else if isOnlyRefreshing || screen.isHome && screen != renewed.user.role.home {
                showHome()
            } else if screen.isHome {
                loadHome()
            }
            sendQueue()
        } else if answer.isOutage {
            // The service is down, so its refusal says nothing about the access token.
            let isLoading = !hasAccessEnded && !isAccessDoubted
            isAccessDoubted = false
            let isReveal =
                buttonAfterRefresh == .personalData
                || buttonAfterRefresh == .tryAgain && protectedAction == .personalData
            if isReveal, preferences.sealedDetails != nil { return goOnAfterRefresh() }
            guard screen.isHome || isOnlyRefreshing else { return }
            showHome(offlineMessage ?? .savedData, isLoading: isLoading)
        } else {
            endSession(.sessionExpired)
        }
    }

    /// Keeps a session in memory, and under its protection in secure storage.
    mutating func keep(_ session: AppSession) {
        let detailsKey = preferences.hasBiometrics ? self.session?.detailsKey : nil
        self.session = session
        self.session?.detailsKey = detailsKey
        keep {
            // Another role's home has other numbers.
            if $0.user?.role != session.user.role { $0.cachedItems = [] }
            $0.user = AppPreferences.User(
                id: session.user.id, name: session.user.name, role: session.user.role, email: session.user.email)
            $0.sessionEndsAt = session.sessionExpiresAt.map { .seconds($0) }
        }
        guard preferences.hasSession, let session = self.session else { return }
        if preferences.hasBiometrics, settings.style == .boundKey {
            // A store makes a new key, which today's templates open: the key from the enrolment must still be there.
            isRenewalUnstored = true
            perform(.checkEnrolment)
        } else if preferences.hasBiometrics {
            perform(.store(.biometricSession, session.stored, settings.style.access))
        } else {
            perform(.store(.session, session.stored, .unguarded))
        }
    }

    /// A login succeeded: keeps its session, and offers the steps before home.
    mutating func signedIn(_ session: AppSession, offersPasskey: Bool = false) {
        abortConditionalRequest()
        (failures, failedProvider, isRefreshing, deliveredKey) = (0, nil, false, nil)
        endPendingWork()
        if preferences.user?.id != session.user.id {
            // Another user's data are not this user's; another user's activities wait for that user.
            keep { ($0.cachedItems, $0.wasOfferedBiometrics) = ([], false) }
        }
        if preferences.hasBiometrics {
            // A login around the sensor: the templates may have changed, so the old binding ends.
            endBiometricSession()
            keep { ($0.hasBiometrics, $0.needsNewEnrolment) = (false, true) }
        }
        keep {
            $0.hasSession = true
            if let policy = session.policy { $0.policy = AppSettings.Policy(policy) }
        }
        keep(session)
        if offersPasskey { show(.passkeyOffer) } else { continueToHome() }
        // The queue of an ended session follows the login (J4).
        sendQueue()
    }

    /// Ends the work of the user before that waits for an answer: a login, a passkey ceremony, a protected action.
    private mutating func endPendingWork() {
        endReset()
        (awaited, customAuth, passkeyWork, passkeyMessage, protectedAction, purpose) = (nil, nil, nil, nil, nil, nil)
        (attempt, pendingLink, unansweredClaim, buttonAfterRefresh, isEnrolling) = (nil, nil, nil, nil, false)
        perform(.delete(.loginAttempt))
    }

    /// Ends the session on this device; the queue and the cached data stay for the next login of the user.
    mutating func endSession(_ message: AppMessage?) {
        perform(.delete(.session))
        endBiometricSession()
        session = nil
        endPendingWork()
        keep {
            $0.needsNewEnrolment = $0.needsNewEnrolment || $0.hasBiometrics
            ($0.hasSession, $0.hasBiometrics, $0.sessionEndsAt) = (false, false, nil)
        }
        showProviderSelection(message)
    }

    mutating func logOut() {
        if let session {
            send(.logOut(accessToken: session.accessToken, refreshToken: session.refreshToken))
        }
        endSession(nil)
        keep { $0.cachedItems = [] }
    }

    /// A logout that did not reach the server is sent later; until then its token waits in secure storage.
    mutating func loggedOut(_ refreshToken: String, _ answer: AppAnswer) {
        guard answer.isOutage else { return }
        perform(.store(.endedSession, refreshToken, .unguarded))
        keep { $0.hasEndedSession = true }
    }

    mutating func finishLogout() {
        if preferences.hasEndedSession, isOnline { perform(.read(.endedSession)) }
    }

    mutating func revoke(_ reading: ItemReading) {
        guard case .value(let token) = reading else { return keep { $0.hasEndedSession = false } }
        send(.revoke(refreshToken: token))
    }

    mutating func revoked(_ answer: AppAnswer) {
        guard !answer.isOutage else { return }
        perform(.delete(.endedSession))
        keep { $0.hasEndedSession = false }
    }
}

extension AppSettings.Style {
    var access: ItemAccess {
        switch self {
        case .booleanGate, .domainState: .unguarded
        case .boundKey: .boundToEnrolment
        }
    }
}
