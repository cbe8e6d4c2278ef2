internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import Foundation
internal import PlatformErrors
package import ReferenceApp
package import SimulatedDevice
internal import Synchronization
package import VirtualAuthenticator
package import WebAuthnClient

/// The reference app on a simulated device: performs its effects, and hands it the events.
///
/// The app's process lives and dies with the device's. Its preferences outlive the process.
package final class AppHost: Sendable {
    let device: SimulatedDevice
    let client: WebAuthnClient
    let origin: Origin
    let services: any AppServices
    let settings: AppSettings
    private let watch: PromptWatch
    private let random: any RandomSource
    private let time: any TimeSource
    private let passStorage: @Sendable () -> Void
    private let onEvent: @Sendable (Event) -> Void
    private let state: Mutex<State>

    /// A report of the app's host, as the event happens.
    package enum Event: Sendable {
        case screen(AppScreen, message: String?)
        case exchange(AppRecord.Exchange)
    }

    private struct State {
        /// The app's process; nil while it does not run.
        var app: ReferenceApp?
        var preferences = AppPreferences()
        /// Whether the user has opened the app on this device.
        var wasOpened = false
        /// The time at which the app left the screen.
        var leftAt: Duration?
        var isOnline = true
        var taps = 0
        /// The number of times that the app's data was removed, as far as the host has followed.
        var dataRemovals: UInt64 = 0
        /// The provider's page in the in-app browser or in the provider's app.
        var page: ProviderPage?
        /// Whether the provider's app has the page, which then outlives this app's process.
        var isPageInProvidersApp = false
        var lastLink: String?
        /// The options of the conditional request that waits.
        var conditionalOptions: String?
        var record = AppRecord()
        /// Every token that the app was ever given, for a search of the stores.
        var tokens: Set<String> = []
        /// The settings that decided a step of the app in any of its processes.
        var decisions: Set<AppSettings.Decision> = []

        /// The process is gone, with its memory and its screen.
        mutating func endProcess() {
            (app, leftAt, conditionalOptions) = (nil, nil, nil)
            if !isPageInProvidersApp { page = nil }
        }
    }

    /// - Parameters:
    ///   - passStorage: lets the time pass that an access to secure storage takes.
    ///   - onEvent: is told of each screen and each request as it happens.
    package init(
        _ settings: AppSettings, on device: SimulatedDevice, watch: PromptWatch, client: WebAuthnClient,
        origin: Origin, services: any AppServices, time: any TimeSource, random: any RandomSource,
        passStorage: @escaping @Sendable () -> Void = {}, onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.passStorage = passStorage
        self.onEvent = onEvent
        self.settings = settings
        self.device = device
        self.watch = watch
        self.client = client
        self.origin = origin
        self.services = services
        self.time = time
        self.random = random
        state = Mutex(State())
    }

    /// The app as the user sees it; nil while its process does not run.
    package var app: ReferenceApp? { state.withLock { $0.app } }

    package var sensor: SensorName { settings.sensor }

    /// The number of buttons and fields that the user has used since they opened the app.
    package var taps: Int { state.withLock { $0.taps } }

    /// The last link of a provider to the app; nil before the first.
    package var lastLink: String? { state.withLock { $0.lastLink } }

    /// The settings that have decided a step of the app.
    package var decisions: Set<AppSettings.Decision> { state.withLock { $0.decisions } }

    package var preferences: AppPreferences { state.withLock { $0.preferences } }

    /// The records of a step, which then start over.
    package func takeRecord() -> AppRecord {
        state.withLock { state in
            defer { state.record = AppRecord() }
            return state.record
        }
    }

    /// The number of tokens that can be read outside secure storage.
    package var exposedTokens: Int {
        state.withLock { state in
            let text = (try? JSONEncoder().encode(state.preferences)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return state.tokens.count { text.contains($0) }
        }
    }

    /// Follows the device: a process that was killed is gone, and one that returns to the screen is told.
    package func observe() async {
        let life = device.lifeState
        let place = life.apps[SecretID.defaultApp]
        let isOnScreen = life.foregroundApp == SecretID.defaultApp
        let now = time.now()
        let event: AppEvent? = state.withLock { state in
            if place?.dataRemovals != state.dataRemovals {
                state.preferences = AppPreferences()
                state.dataRemovals = place?.dataRemovals ?? 0
            }
            if place?.isRunning != true { state.endProcess() }
            let isOnline = life.network == .online
            let networkChanged = isOnline != state.isOnline
            state.isOnline = isOnline
            guard state.app != nil else { return isOnScreen && state.wasOpened ? startProcess(&state) : nil }
            if !isOnScreen {
                state.leftAt = state.leftAt ?? now
                return nil
            }
            if networkChanged { return .networkChanged(isOnline: isOnline) }
            guard let leftAt = state.leftAt else { return nil }
            state.leftAt = nil
            return .resumed(away: now - leftAt)
        }
        if let event { await handle(event) }
    }

    private func startProcess(_ state: inout State) -> AppEvent {
        state.app = ReferenceApp(
            settings, preferences: state.preferences, isOnline: state.isOnline, random: random.bytes)
        state.leftAt = nil
        return .launched
    }

    /// The user opens the app, or a link opens it.
    package func open(link: String? = nil) async throws {
        let place = device.lifeState.apps[SecretID.defaultApp]
        if place?.isRunning != true || place?.isInForeground != true {
            try await device.perform(place?.isRunning == true ? .resume : .launch)
        }
        state.withLock { state in
            state.wasOpened = true
            if link == nil { state.taps = 0 }
        }
        if let link, app != nil {
            // The app returns for the link: the time away counts after it.
            state.withLock { $0.leftAt = nil }
            return await handle(.openedLink(link))
        }
        await observe()
        if let link { await handle(.openedLink(link)) }
    }

    /// Hands the app an event, and performs the effects that follow, until the app is at rest.
    package func handle(_ event: AppEvent) async {
        var events = [event]
        while !events.isEmpty {
            for effect in advance(events.removeFirst()) {
                let answers = await perform(effect)
                // A process that was killed meanwhile learns nothing.
                guard device.lifeState.apps[SecretID.defaultApp]?.isRunning == true else {
                    return state.withLock { $0.endProcess() }
                }
                events += answers
            }
        }
    }

    private func advance(_ event: AppEvent) -> [AppEffect] {
        let now = time.now()
        let (effects, shown): ([AppEffect], Event?) = state.withLock { state in
            guard var app = state.app else { return ([], nil) }
            let before = (app.screen, app.message)
            // The app's limits follow the clock that the user can set, as those of most apps do.
            let effects = app.handle(event, at: time.shownTime())
            state.app = app
            state.decisions.formUnion(app.decisions)
            if let session = app.session { state.tokens.formUnion([session.accessToken, session.refreshToken]) }
            if app.screen != before.0 { state.record.screens.append(.init(time: now, screen: app.screen)) }
            if case .passkeyAnswered(let answer) = event, let code = answer.errorCode {
                state.record.passkeyErrors.append(code)
            }
            guard before != (app.screen, app.message) else { return (effects, nil) }
            return (effects, .screen(app.screen, message: app.message?.text(settings.sensor)))
        }
        if let shown { onEvent(shown) }
        return effects
    }

    private func perform(_ effect: AppEffect) async -> [AppEvent] {
        switch effect {
        case .savePreferences(let preferences): state.withLock { $0.preferences = preferences }
        case .store(let item, let text, let access):
            let trouble = await store(item, text, access)
            passStorage()
            return [.stored(item, trouble)]
        case .read(let item):
            let reading = await read(item)
            if case .value = reading { noteMatch() }
            passStorage()
            return [.read(item, reading)]
        case .delete(let item):
            delete(item)
            passStorage()
        case .verifyUser:
            let trouble = await verifyUser()
            if trouble == nil { noteMatch() }
            return [.verified(trouble)]
        // The watch withdraws the prompt before the user's next act.
        case .cancelPrompt: break
        case .rememberEnrolment: return [.enrolmentRemembered(await rememberEnrolment())]
        case .compareEnrolment: return [.enrolmentCompared(isSame: await isSameEnrolment())]
        case .checkEnrolment: return [.enrolmentChecked(isIntact: await isEnrolmentIntact())]
        case .openPage(let path):
            let page = isOnline ? await services.openPage(path) : nil
            state.withLock { ($0.page, $0.isPageInProvidersApp) = (page, false) }
            return [page == nil ? .pageFailed : .pageOpened]
        case .answerPage(let approves): return await answerPage(approves).map { [.returned($0)] } ?? []
        case .closePage: state.withLock { $0.page = nil }
        case .send(let request): return [.answered(request, await send(request))]
        case .createPasskey(let options): return [.passkeyAnswered(await createPasskey(options))]
        case .getPasskey(let options, isConditional: true):
            guard await isNamed(for: .passkeys) else { return [.passkeyAnswered(.refused)] }
            state.withLock { $0.conditionalOptions = options }
            return [.suggestionChanged(await hasPasskey())]
        case .getPasskey(let options, isConditional: false): return [.passkeyAnswered(await getPasskey(options))]
        case .abortPasskeyRequest: state.withLock { $0.conditionalOptions = nil }
        case .signalUnknownPasskey(let id): await signalUnknownPasskey(id)
        }
        return []
    }

    /// The time to the next screen counts from the first match, before its secret is read.
    private func noteMatch() {
        let now = time.now()
        state.withLock { $0.record.verifiedAt = $0.record.verifiedAt ?? now }
    }

    /// Notes an error that the platform reports to the app.
    func note(_ trouble: AppRecord.Trouble) { state.withLock { $0.record.troubles.append(trouble) } }

    private var isOnline: Bool { device.lifeState.network == .online }

    private func send(_ request: AppRequest) async -> AppAnswer {
        let start = time.now()
        var answer = isOnline ? await services.send(request, from: preferences.installation) : .unreachable
        // The app's own limit: an answer after it finds no one waiting.
        if time.now() - start > Self.patience { answer = .unreachable }
        let line = AppRecord.Exchange(time: time.now(), request: request, answer: answer)
        state.withLock { $0.record.exchanges.append(line) }
        onEvent(.exchange(line))
        return answer
    }

    /// The time for which the app waits for an answer.
    static let patience = Duration.seconds(30)

    /// Answers the page; nil when the provider sends no redirect to the app.
    private func answerPage(_ approves: Bool) async -> String? {
        guard let page = state.withLock({ $0.page }), isOnline else { return nil }
        guard let link = await services.decide(page, approves: approves), link.hasPrefix(AppRequest.redirectURI) else {
            return nil
        }
        state.withLock { $0.lastLink = link }
        return link
    }
}

extension AppHost {
    /// The result of a tap.
    package enum Tap: Sendable {
        case done
        /// The button is not on the screen.
        case missing
        /// The screen is locked.
        case locked
        /// The provider cannot be reached without a network, so nothing happens.
        case offline
    }

    /// The user taps a button, or a row's button.
    ///
    /// - Parameter row: the row's title, or its number from 1; nil for the only row.
    package func tap(_ button: AppButton, row: String? = nil) async throws -> Tap {
        guard !device.lifeState.isLocked else { return .locked }
        if let provider = providerApp { return try await tap(button, in: provider) }
        guard let app, device.lifeState.foregroundApp == SecretID.defaultApp else { return .missing }
        let event: AppEvent
        if app.rows.contains(where: { $0.buttons.contains(button) }) {
            guard let row = app.rows.index(of: row), app.rows[row].buttons.contains(button) else { return .missing }
            event = .tappedRow(button, row)
        } else {
            guard row == nil, app.offers.contains(button) else { return .missing }
            if button.isDecision, !isOnline { return .offline }
            event = .tapped(button)
        }
        state.withLock { $0.taps += 1 }
        await handle(event)
        if button == .passkeySuggestion, let options = state.withLock({ $0.conditionalOptions }) {
            let answer = await getPasskey(options)
            // The app gets no error when the user closes the sheet, and its request goes on waiting.
            guard case .response = answer else { return .done }
            state.withLock { $0.conditionalOptions = nil }
            await handle(.passkeyAnswered(answer))
        }
        return .done
    }

    /// The codes that the user reads in the mailbox of an address, the oldest first.
    package func codes(sentTo address: String) async -> [String] { await services.codes(sentTo: address) }

    /// The user fills in a field; returns whether it is on the screen.
    package func enter(_ field: AppField, _ text: String) async -> Bool {
        guard app?.inputs.contains(field) == true else { return false }
        state.withLock { $0.taps += 1 }
        await handle(.entered(field, text))
        return true
    }

    /// The user switches to another app, which is installed if it is missing.
    package func switchTo(_ name: String) async throws {
        if device.lifeState.apps[name]?.isInstalled != true { try await device.perform(.install, app: name) }
        try await device.perform(.launch, app: name)
        if let provider = Provider(rawValue: name) {
            state.withLock { $0.isPageInProvidersApp = $0.page?.isOf(provider) == true }
        }
        await observe()
    }

    /// Whether an app is in the foreground of an unlocked screen.
    package func isOnScreen(_ name: String) -> Bool { device.lifeState.foregroundApp == name }

    /// The provider whose own app is on the screen.
    package var providerApp: Provider? { device.lifeState.foregroundApp.flatMap(Provider.init(rawValue:)) }

    /// A button in the provider's app: the decision, and the way back by the app's universal link.
    private func tap(_ button: AppButton, in provider: Provider) async throws -> Tap {
        guard button.isDecision, state.withLock({ $0.page })?.isOf(provider) == true else { return .missing }
        guard isOnline else { return .offline }
        state.withLock { $0.taps += 1 }
        guard let link = await answerPage(button == .approve) else { return .done }
        // The provider's app is done with the request; without the association the link opens in a browser, and the app
        // never sees it.
        state.withLock { $0.isPageInProvidersApp = false }
        if await isNamed(for: .links) { try await open(link: link) }
        return .done
    }

    /// Tells the app of each failed attempt, on the platform that does: BiometricPrompt's `onAuthenticationFailed`.
    private var onFailure: (@Sendable () -> Bool)? {
        guard device.profile.platform == .android else { return nil }
        return { [self] in advance(.attemptFailed).contains(.cancelPrompt) }
    }

    private func verifyUser() async -> SensorTrouble? {
        let cause = await watch.watching(onFailure) { await device.verifyUser(AppPrompt(.biometrics)) }.cause
        if let cause { note(.refused(cause, .verify)) }
        return cause.map(SensorTrouble.init)
    }

    private func read(_ item: AppItem) async -> ItemReading {
        switch await watch.watching(onFailure, { await device.secureStorage.read(item.rawValue) }) {
        case .success(let bytes): .value(String(decoding: bytes, as: UTF8.self))
        case .failure(let refusal): trouble(refusal.cause)
        }
    }

    private func trouble(_ cause: Cause) -> ItemReading {
        note(.refused(cause, .read))
        return .trouble(SensorTrouble(cause))
    }
}

extension [AppRow] {
    /// The index of the row with a title or a number from 1; without one, of the only row.
    fileprivate func index(of name: String?) -> Int? {
        guard let name else { return count == 1 ? 0 : nil }
        return firstIndex { $0.title == name } ?? Int(name).map { $0 - 1 }.flatMap { indices.contains($0) ? $0 : nil }
    }
}
