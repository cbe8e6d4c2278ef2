/// An app with provider login, biometric unlock, step-up, an offline queue and passkeys, without a user interface.
///
/// A pure state machine: an event changes the state and returns the effects that the app asks for. Its host performs
/// them and sends their results back as events. The flows are in `Flows/`, one file each; docs/apps.md has the
/// table of screens.
package struct ReferenceApp: Sendable {
    package let settings: AppSettings
    /// The source of random bytes for PKCE, states, nonces and keys of idempotency.
    let random: @Sendable (Int) -> [UInt8]

    package internal(set) var screen = AppScreen.working
    package internal(set) var message: AppMessage?
    package internal(set) var fields: [AppField: String] = [:]
    package internal(set) var preferences: AppPreferences
    /// The session while it is open; nil before the unlock and without a session.
    package internal(set) var session: AppSession?
    /// The protected data on the screen; empty while they are hidden.
    package internal(set) var revealed: [String] = []
    package internal(set) var passkeys: [Passkey] = []
    /// The members on the screen; empty on another screen.
    package internal(set) var people: [Colleague] = []
    /// Whether a conditional passkey request waits for the user's choice.
    package internal(set) var isConditionalRequestOpen = false
    /// Whether the platform has a passkey to suggest for it.
    package internal(set) var isPasskeySuggested = false
    package internal(set) var isOnline: Bool
    /// The failed attempts since the last success, as far as the platform reports them.
    package internal(set) var failures = 0
    /// The settings that have decided a step since the start of the process.
    package internal(set) var decisions: Set<AppSettings.Decision> = []

    var purpose: Purpose?
    /// The request whose answer the screen waits for.
    var awaited: AppRequest?
    /// The screen to which Cancel and Back return.
    var origin = AppScreen.providerSelection
    var attempt: LoginAttempt?
    /// The provider of the last failed login, for the retry.
    var failedProvider: Provider?
    /// The callback that waits for its attempt to be read.
    var pendingLink: String?
    var customAuth: CustomAuth?
    var passwordReset: PendingReset?
    var passkeyWork: PasskeyWork?
    /// The challenge of the passkey ceremony, or of the conditional request.
    var passkeyChallenge = ""
    /// The message that the passkey settings show with the next list.
    var passkeyMessage: AppMessage?
    var protectedAction: ProtectedAction?
    /// Whether this is the second proof for the action, because the server refused the first.
    var isStepUpRepeated = false
    /// The claim that no answer has confirmed.
    var unansweredClaim: (amount: Int, key: String)?
    var isRefreshing = false
    /// The button whose request waits for new tokens.
    var buttonAfterRefresh: AppButton?
    /// Whether the next store of the sensor's item enables biometric login.
    var isEnrolling = false
    /// Whether renewed tokens wait for the check of the enrolment before they are stored.
    var isRenewalUnstored = false
    /// The key of the queue's activity that is on its way.
    var deliveredKey: String?
    /// Whether a service refused the access token, and accepted none since.
    var isAccessDoubted = false
    /// The time of the current event.
    var now = Duration.zero
    private var effects: [AppEffect] = []

    enum Purpose: Hashable {
        case unlock, enrolment, stepUp
    }

    /// - Parameter preferences: the state that an earlier process kept.
    package init(
        _ settings: AppSettings, preferences: AppPreferences = AppPreferences(), isOnline: Bool = true,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.settings = settings
        self.preferences = preferences
        self.isOnline = isOnline
        self.random = random
    }

    /// Handles an event at a time since the Unix epoch, and returns the effects in the order to perform them.
    package mutating func handle(_ event: AppEvent, at now: Duration) -> [AppEffect] {
        self.now = now
        effects = []
        switch event {
        case .launched: start()
        case .resumed(let away): resume(after: away)
        case .openedLink(let link), .returned(let link): follow(link)
        case .networkChanged(let isOnline): networkChanged(isOnline)
        case .tapped(let button): if offers.contains(button), !waitsForTokens(button) { tap(button) }
        case .tappedRow(let button, let row):
            if rows.indices.contains(row), rows[row].buttons.contains(button) { tap(button, ofRow: row) }
        case .entered(let field, let text): if inputs.contains(field) { fields[field] = text }
        case .attemptFailed: countFailure()
        case .verified(let trouble): verified(trouble)
        case .enrolmentRemembered(let trouble): enrolmentRemembered(trouble)
        case .enrolmentCompared(let isSame): enrolmentCompared(isSame)
        case .enrolmentChecked(let isIntact): enrolmentChecked(isIntact)
        case .suggestionChanged(let isThere): isPasskeySuggested = isThere
        case .read(let item, let reading): read(item, reading)
        case .stored(let item, let trouble): stored(item, trouble)
        case .passkeyAnswered(let answer): passkeyAnswered(answer)
        case .pageOpened: break
        case .pageFailed: pageFailed()
        case .answered(let request, let answer): answered(request, answer)
        }
        return effects
    }
}

extension ReferenceApp {
    mutating func perform(_ effect: AppEffect) { effects.append(effect) }

    mutating func send(_ request: AppRequest) { perform(.send(request)) }

    /// Shows the busy screen until a request is answered.
    mutating func ask(_ request: AppRequest, from screen: AppScreen) {
        origin = screen
        show(.working)
        wait(for: request)
    }

    /// Sends a request whose answer changes the screen.
    mutating func wait(for request: AppRequest) {
        awaited = request
        send(request)
    }

    mutating func show(_ screen: AppScreen, _ message: AppMessage? = nil) {
        if screen != .personalData { revealed = [] }
        if screen != .people { people = [] }
        if screen != .working, screen != self.screen { fields[.password] = nil }
        (self.screen, self.message) = (screen, message)
    }

    mutating func keep(_ change: (inout AppPreferences) -> Void) {
        var changed = preferences
        change(&changed)
        guard changed != preferences else { return }
        preferences = changed
        perform(.savePreferences(changed))
    }

    private mutating func read(_ item: AppItem, _ reading: ItemReading) {
        switch item {
        case .session: openUnguarded(reading)
        case .biometricSession: openedBySensor(reading)
        case .loginAttempt: readAttempt(reading)
        case .endedSession: revoke(reading)
        }
    }

    private mutating func verified(_ trouble: SensorTrouble?) {
        guard let purpose else { return }
        let trouble = counted(trouble)
        if purpose == .enrolment {
            self.purpose = nil
            verifiedForEnrolment(trouble)
        } else if let trouble {
            sensorFailed(trouble)
        } else {
            // The gate is a yes or no in the app's own code; the item itself is unguarded.
            perform(.read(.biometricSession))
        }
    }

    /// A prompt that the app withdrew after the last failed attempt has used up the attempts.
    mutating func counted(_ trouble: SensorTrouble?) -> SensorTrouble? {
        guard let trouble else {
            failures = 0
            return nil
        }
        guard trouble == .cancelled, failures >= settings.failureLimit else { return trouble }
        return .attemptsUsed
    }

    /// The app's own limit (E5) is below the system's, so that the sensor stays usable for the rest of the device.
    private mutating func countFailure() {
        guard purpose != nil else { return }
        failures += 1
        if failures >= settings.failureLimit { perform(.cancelPrompt) }
    }

    private mutating func answered(_ request: AppRequest, _ answer: AppAnswer) {
        switch request {
        // An answer to a request of an earlier session changes nothing.
        case .refresh(let token): if session?.refreshToken == token { refreshed(answer) }
        case .home(let token): if session?.accessToken == token { homeLoaded(answer) }
        case .activity(let activity, _): activitySent(activity, answer)
        case .logOut(_, let token): loggedOut(token, answer)
        case .revoke: revoked(answer)
        case .beginPasskeySignIn(isConditional: true): conditionalRequestBegun(answer)
        default:
            // The user may have cancelled, or gone another way meanwhile.
            guard awaited == request else { return }
            awaited = nil
            answeredInTurn(request, answer)
        }
    }

    private mutating func answeredInTurn(_ request: AppRequest, _ answer: AppAnswer) {
        switch request {
        case .providerLogin(let provider, _, _, _): providerLoginAnswered(provider, answer)
        case .passwordLogin: passwordLoginAnswered(answer)
        case .recover, .verifyRecovery, .setPassword: resetAnswered(request, answer)
        case .stepUp(let proof, _): stepUpAnswered(proof, answer)
        case .people: peopleLoaded(answer)
        case .personalData: personalDataLoaded(answer)
        case .expenseClaim: claimSent(answer)
        case .signUp, .startCustomAuth, .answerCustomAuth, .customAuthLogin, .sendCode, .verifyCode:
            customAuthAnswered(request, answer)
        case .beginPasskeySignIn, .completePasskeySignIn, .beginPasskeyRegistration, .completePasskeyRegistration,
            .listPasskeys, .beginPasskeyRemoval, .completePasskeyRemoval, .deletePasskey:
            passkeyRequestAnswered(request, answer)
        case .refresh, .home, .activity, .logOut, .revoke: break
        }
    }
}
