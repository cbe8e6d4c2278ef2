import Foundation

@testable import ReferenceApp

/// A host with a dictionary for a secure storage, and services that answer from a table.
struct TestHost {
    var app: ReferenceApp
    var settings: AppSettings
    var now = Duration.seconds(1_000_000)
    var items: [AppItem: (text: String, access: ItemAccess)] = [:]
    var preferences = AppPreferences()
    /// Every effect, in order.
    var effects: [AppEffect] = []
    /// The screens in the order they were shown.
    var screens: [AppScreen] = []
    /// The results of the next prompts; a prompt without one succeeds.
    var prompts: [SensorTrouble?] = []
    /// The failed attempts that the app hears of at the next prompt.
    var attempts = 0
    var isSameEnrolment = true
    var isOnline = true
    /// The answers to requests by path; a path without one gets the default.
    var answers: [String: AppAnswer] = [:]
    /// Passkey answers of the platform.
    var passkeys: [PasskeyAnswer] = []
    var role = AppRole.peerMentor
    var email: String? = "ada@example.com"
    var tokens = 0
    var userID = "1"
    /// The backend's rule about biometric login; nil for none told.
    var policy: String?
    /// The addresses with an account.
    var accounts: Set<String> = ["ada@example.com"]
    /// Whether requests get no answer at all.
    var isSilent = false

    init(_ settings: AppSettings = .testing) {
        self.settings = settings
        app = ReferenceApp(settings) { [UInt8](repeating: 7, count: $0) }
        handle(.launched)
    }

    /// The texts of the app's requests: their paths.
    var paths: [String] {
        effects.compactMap { if case .send(let request) = $0 { request.path } else { nil } }
    }

    func count(_ path: String) -> Int { paths.count { $0.hasPrefix(path) } }

    var promptCount: Int {
        effects.count { effect in
            switch effect {
            case .verifyUser, .read(.biometricSession): true
            default: false
            }
        }
    }

    /// The texts for the user.
    var text: String? { app.message?.text(settings.sensor) }

    mutating func tap(_ buttons: AppButton...) {
        for button in buttons { handle(.tapped(button)) }
    }

    mutating func enter(_ field: AppField, _ text: String) { handle(.entered(field, text)) }

    mutating func relaunch(after away: Duration = .zero) {
        now += away
        app = ReferenceApp(settings, preferences: preferences, isOnline: isOnline) { [UInt8](repeating: 8, count: $0) }
        handle(.launched)
    }

    mutating func setOnline(_ isOnline: Bool) {
        self.isOnline = isOnline
        handle(.networkChanged(isOnline: isOnline))
    }

    mutating func handle(_ event: AppEvent) {
        var events = [event]
        while !events.isEmpty {
            let new = app.handle(events.removeFirst(), at: now)
            screens.append(app.screen)
            effects += new
            for effect in new { events += perform(effect) }
        }
    }

    private mutating func perform(_ effect: AppEffect) -> [AppEvent] {
        switch effect {
        case .savePreferences(let preferences):
            self.preferences = preferences
            return []
        case .store(let item, let text, let access):
            items[item] = (text, access)
            return [.stored(item, nil)]
        case .read(let item):
            guard let found = items[item] else { return [.read(item, .trouble(.itemMissing))] }
            guard found.access == .boundToEnrolment else { return [.read(item, .value(found.text))] }
            guard isSameEnrolment else { return [.read(item, .trouble(.templatesChanged))] }
            let (failed, trouble) = nextPrompt()
            return failed + [.read(item, trouble.map { .trouble($0) } ?? .value(found.text))]
        case .delete(let item):
            items[item] = nil
            return []
        case .verifyUser:
            let (failed, trouble) = nextPrompt()
            return failed + [.verified(trouble)]
        case .compareEnrolment: return [.enrolmentCompared(isSame: isSameEnrolment)]
        case .checkEnrolment: return [.enrolmentChecked(isIntact: isSameEnrolment || settings.style == .booleanGate)]
        case .rememberEnrolment: return [.enrolmentRemembered(nil)]
        case .cancelPrompt, .closePage, .abortPasskeyRequest, .signalUnknownPasskey: return []
        case .openPage: return isOnline ? [.pageOpened] : [.pageFailed]
        case .answerPage(let approves): return [.returned(callback(approves ? "code=1" : "error=access_denied"))]
        case .send where isSilent: return []
        case .send(let request): return [.answered(request, answer(request))]
        case .createPasskey, .getPasskey(_, isConditional: false):
            return [.passkeyAnswered(passkeys.isEmpty ? .response("{}") : passkeys.removeFirst())]
        case .getPasskey: return [.suggestionChanged(true)]
        }
    }

    /// The failed attempts and the result of a prompt; an app that withdraws its prompt gets a cancellation.
    private mutating func nextPrompt() -> ([AppEvent], SensorTrouble?) {
        let failed = attempts
        attempts = 0
        if failed >= settings.failureLimit {
            return (Array(repeating: .attemptFailed, count: settings.failureLimit), .cancelled)
        }
        return (
            Array(repeating: .attemptFailed, count: failed), prompts.isEmpty ? nil : prompts.removeFirst()
        )
    }

    /// A callback of the attempt that is in secure storage.
    func callback(_ query: String, state: String? = nil) -> String {
        let stored = items[.loginAttempt].flatMap { LoginAttempt(stored: $0.text) }?.state
        return "\(AppRequest.redirectURI)?\(query)&state=\(state ?? stored ?? "")"
    }

    private mutating func answer(_ request: AppRequest) -> AppAnswer {
        guard isOnline else { return .unreachable }
        if let answer = answers[request.path] { return answer }
        switch request {
        case .providerLogin, .passwordLogin, .refresh, .customAuthLogin:
            return .response(status: 200, body: sessionJSON())
        case .stepUp(.guardedToken(let token), _) where token != "r\(tokens)":
            return .refusal("step_up_refused", 403)
        case .home: return .json(#"{"activities":2,"expense_claims":0}"#)
        case .personalData: return .json(#"{"national_id":"14839010150"}"#)
        case .people: return .json(#"{"people":[{"name":"Anne Lund","role":"peer-mentor"}]}"#)
        case .signUp(let email, _):
            accounts.insert(email)
            return .json("{}")
        case .startCustomAuth(let email) where !accounts.contains(email):
            return .json(#"{"__type":"UserNotFoundException"}"#, 400)
        case .startCustomAuth: return .json(#"{"Session":"s","ChallengeParameters":{"token":"t"}}"#)
        case .answerCustomAuth: return .json(#"{"AuthenticationResult":{"AccessToken":"a"}}"#)
        case .beginPasskeySignIn, .beginPasskeyRegistration, .beginPasskeyRemoval:
            return .json(#"{"challengeId":"c","options":{}}"#)
        case .verifyCode: return .json(#"{"isVerified":true,"accessToken":"r"}"#)
        case .completePasskeySignIn, .completePasskeyRemoval:
            return .json(#"{"isVerified":true,"username":"ada@example.com","accessToken":"r"}"#)
        case .listPasskeys: return .json(#"[{"webauthnCredential":{"credentialId":"1"}}]"#)
        default: return .json("{}")
        }
    }

    private mutating func sessionJSON() -> String {
        tokens += 1
        let seconds = now / .seconds(1)
        let address = email.map { #","email":"\#($0)","has_password":true"# } ?? ""
        return #"{"access_token":"a\#(tokens)","refresh_token":"r\#(tokens)","expires_at":\#(seconds + 3600),"#
            + #""session_expires_at":\#(seconds + 86400),"#
            + (policy.map { #""policy":{"biometrics":"\#($0)"},"# } ?? "")
            + #""user":{"id":"\#(userID)","name":"Ada","role":"\#(role.rawValue)"\#(address)}}"#
    }
}

extension AppAnswer {
    static func json(_ body: String, _ status: Int = 200) -> AppAnswer { .response(status: status, body: body) }

    static func refusal(_ code: String, _ status: Int = 400) -> AppAnswer {
        .response(status: status, body: #"{"code":"\#(code)","message":"…"}"#)
    }
}

extension AppSettings {
    static var testing: AppSettings {
        var settings = AppSettings()
        settings.hasConditionalMediation = false
        return settings
    }

    static func testing(_ edit: (inout AppSettings) -> Void) -> AppSettings {
        var settings = testing
        edit(&settings)
        return settings
    }

    static func styled(_ style: Style) -> AppSettings { testing { $0.style = style } }
}

extension TestHost {
    /// A user who logged in with BankID and enabled biometric login.
    static func enrolled(_ settings: AppSettings = .testing) -> TestHost {
        var host = TestHost(settings)
        host.tap(.bankID, .approve, .enable)
        host.effects = []
        host.screens = []
        return host
    }

    static func loggedIn(_ settings: AppSettings = .testing) -> TestHost {
        var host = TestHost(settings)
        host.tap(.bankID, .approve, .skip)
        host.effects = []
        host.screens = []
        return host
    }
}
