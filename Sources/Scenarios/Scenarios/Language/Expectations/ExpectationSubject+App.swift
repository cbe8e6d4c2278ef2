internal import AppHost
internal import Documents
internal import ReferenceApp
internal import SimulatedDevice
internal import Wording

extension Expectation.Subject {
    /// The screen of the device, and of the reference app on it.
    static let screen: Self = {
        let owners = [
            StateOwner(title: "the device's screen", states: ScreenState.allCases.map(\.rawValue)),
            StateOwner(title: "the app's screen", states: AppScreen.allCases.map(\.rawValue), collectives: [home]),
        ]
        var screen = Self(
            "screen", .states(owners.flatMap { $0.collectives + $0.states }), .simulatedDevice(),
            "The device's screen, locked or unlocked; or the app's screen, home for each role's home."
        ) { checker in
            let app = checker.shownApp.map { [$0.screen.rawValue] + ($0.screen.isHome ? [home] : []) }
            return (checker.device.map { [$0.lifeState.screen.rawValue] } ?? []) + (app ?? [])
        }
        screen.owners = owners
        return screen
    }()

    private static let home = "home"

    static let ofApp: [Self] = ListBuilder<Self>.list {
        Self(
            "shows", .part, .simulatedDevice(),
            "A part of the message or of the data on the app's screen; each item of a list must be there."
        ) { checker in
            guard let app = checker.shownApp, let host = checker.app else { return [] }
            return [app.message?.text(host.sensor)].compactMap { $0 } + app.revealed
                + (app.screen.isHome ? app.preferences.cachedItems : [])
        }
        Self(
            "offers", .names(AppButton.allCases.map(\.rawValue)), .simulatedDevice(), "A button on the app's screen."
        ) { $0.shownApp?.offers.map(\.rawValue) ?? [] }
        Self(
            "rows", .part, .simulatedDevice(),
            "A part of a row of the list on the app's screen: a passkey's name, creation and last use."
        ) { $0.shownApp?.rows.map { "\($0.title), \($0.details)" } ?? [] }
        Self("user", .text, .simulatedDevice(), "The name of the user who is logged in to the app.") { checker in
            guard let preferences = checker.app?.preferences, preferences.hasSession else { return [] }
            return (preferences.user?.name).map { [$0] } ?? []
        }
        Self("fields", .text, .simulatedDevice(), "The fields of the app's screen, such as E-mail, Password.") {
            checker in
            let fields = checker.shownApp?.inputs.map(\.rawValue) ?? []
            return fields.isEmpty ? [] : [fields.joined(separator: ", ")]
        }
        Self(
            "content-types", .names(AppField.ContentType.allCases.map(\.rawValue)), .simulatedDevice(),
            "The content type of a field of the app's screen, by which the system offers to fill it in."
        ) { $0.shownApp?.inputs.compactMap(\.contentType?.rawValue) ?? [] }
        Self(
            "passkey-error", .names([PasskeyAnswer.userCanceled, .noCredential, .refused].compactMap(\.errorCode)),
            .simulatedDevice(), "The code with which a passkey request of the app failed."
        ) { $0.observation.app.passkeyErrors }
        Self("reveals", .number, .simulatedDevice(), "The number of protected values on the app's screen.") {
            [String($0.shownApp?.revealed.count ?? 0)]
        }
        Self("queue", .number, .simulatedDevice(), "The number of the user's activities that wait for the network.") {
            ($0.app?.preferences.waitingActivities.count).map { [String($0)] } ?? []
        }
        Self(
            "taps", .number, .simulatedDevice(),
            "The number of buttons and fields that the user has used since they opened the app."
        ) { ($0.app?.taps).map { [String($0)] } ?? [] }
        Self("requests", .number, .simulatedDevice(), "The number of requests that the app sends to its services.") {
            [String($0.observation.app.exchanges.count)]
        }
        Self("sends", .part, .simulatedDevice(), "A request of the app, such as POST /gateway/v1/token.") {
            $0.observation.app.exchanges.map(\.line)
        }
        Self("refreshes", .number, .simulatedDevice(), "The number of times the app refreshes its tokens.") {
            [String($0.observation.app.exchanges.count(where: \.isRefresh))]
        }
        Self("passes", .names(AppScreen.allCases.map(\.rawValue)), .simulatedDevice(), "A screen that the step shows.")
        {
            $0.observation.app.screens.map(\.screen.rawValue)
        }
        Self("ready-after", .limit, .simulatedDevice(), "The longest time from the match to the last screen.") {
            $0.observation.app.readyAfter.map { [Wording.span($0)] } ?? []
        }
        Self("exposed-tokens", .number, .simulatedDevice(), "The number of tokens readable outside secure storage.") {
            ($0.app?.exposedTokens).map { [String($0)] } ?? []
        }
    }
}

extension ExpectationChecker {
    /// The reference app while it is on the screen.
    fileprivate var shownApp: ReferenceApp? { device?.lifeState.foregroundApp == SecretID.defaultApp ? app?.app : nil }
}

extension AppRecord.Exchange {
    fileprivate var isRefresh: Bool { if case .refresh = request { true } else { false } }
}
