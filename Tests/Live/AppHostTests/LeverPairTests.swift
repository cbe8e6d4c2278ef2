import AppHost
import AppWays
import Providers
import ReferenceApp
import RelyingPartyServer
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// Two things that happen between any two steps of the app's flows: what holds alone holds together.
@Suite("Pairs of levers between the steps of the app")
struct LeverPairTests {
    enum Lever: String, CaseIterable {
        case network, lock, newTemplate, lockout, providerFault, policy, role, clock, kill, logOut, secondUser,
            lostPasskey
    }

    enum Step: Hashable {
        case tap(AppButton)
        case enter(AppField, String)
        case enterCode
        /// The user is away for ten minutes.
        case away
    }

    static let ada = "ada@example.com"

    static let flows: [[Step]] = [
        [
            .tap(.bankID), .tap(.approve), .tap(.enable), .tap(.personalData), .tap(.back), .away, .tap(.activities),
            .enter(.activity, "Training"), .tap(.registerActivity), .tap(.back), .tap(.personalData), .tap(.back),
        ],
        [
            .tap(.vipps), .tap(.approve), .tap(.enable), .tap(.expenseClaim), .enter(.amount, "120"),
            .tap(.submitClaim), .tap(.back), .away, .tap(.settings), .tap(.disableBiometrics), .tap(.confirm),
            .tap(.back), .tap(.activities), .enter(.activity, "Board"), .tap(.registerActivity), .tap(.back),
            .tap(.logOut),
        ],
        [
            .tap(.emailLogin), .enter(.email, ada), .tap(.sendCode), .enterCode, .tap(.verifyCode), .tap(.addPasskey),
            .tap(.enable), .tap(.settings), .tap(.passkeys), .tap(.back), .tap(.back), .tap(.logOut), .tap(.passkey),
            .tap(.enable), .tap(.personalData), .tap(.back), .away, .tap(.settings), .tap(.passkeys), .tap(.addPasskey),
            .tap(.removePasskey), .tap(.back),
        ],
    ]

    struct Story: Hashable, CustomTestStringConvertible {
        let flow: Int
        let style: AppSettings.Style
        let profile: String
        /// The levers, each with the number of the step before it.
        let first: (lever: Lever, step: Int)
        let second: (lever: Lever, step: Int)

        static func == (one: Story, other: Story) -> Bool { one.testDescription == other.testDescription }
        func hash(into hasher: inout Hasher) { hasher.combine(testDescription) }

        var testDescription: String {
            "flow \(flow) on \(profile), \(style): \(first.lever) after \(first.step), \(second.lever) after \(second.step)"
        }
    }

    /// Every pair of levers in some place of each flow; 2,160 in `make verify`, about a hundred in `make test`.
    static let stories: [Story] = {
        let profiles = ["pixel-fingerprint", "iphone-face-id"]
        var stories: [Story] = []
        var number = 0
        for flow in flows.indices {
            for one in Lever.allCases {
                for other in Lever.allCases {
                    for turn in 0..<5 {
                        number += 1
                        // Places that differ from story to story, and are the same in every run.
                        let places = [number * 7 + turn, number * 11 + 3 * turn].map { $0 % flows[flow].count }.sorted()
                        stories.append(
                            Story(
                                flow: flow, style: AppSettings.Style.allCases[number % 3],
                                profile: profiles[number % 2], first: (one, places[0]), second: (other, places[1])))
                    }
                }
            }
        }
        return stories
    }()

    @Test("break no promise of the app", arguments: Ring.sample(stories, 100))
    func pairsBreakNoPromise(story: Story) async throws {
        let life = try await Household(story.profile, story.style, seed: UInt64(story.flow) + 1)
        var witness = Witness(life, story.style)
        do {
            try await life.settle()
            for (number, step) in Self.flows[story.flow].enumerated() {
                try await witness.play(step)
                for (lever, place) in [story.first, story.second] where place == number {
                    try await witness.pull(lever)
                }
            }
            try await witness.end()
        } catch {
            await life.server.stop()
            throw error
        }
        await life.server.stop()
    }
}

/// Plays steps and levers, and knows what the app may show afterwards.
struct Witness {
    typealias Lever = LeverPairTests.Lever
    typealias Step = LeverPairTests.Step

    private let life: Household
    private let style: AppSettings.Style
    /// The user of the last login; nil after a logout.
    private var user: String?
    private var resident = Resident.kari
    /// The resident of the provider's page, who was chosen when it was opened.
    private var pageResident = Resident.kari
    /// Whether the templates changed since the app bound its session to them.
    private var hasNewTemplates = false
    private var enrolments = 0
    private var isProviderDown = false
    private var wasRevealing = false
    private var hadSession = false
    private var activities: Set<String> = []
    private var registered = 0
    private var stored: Set<String> = []

    init(_ life: Household, _ style: AppSettings.Style) {
        (self.life, self.style) = (life, style)
    }

    // MARK: steps

    /// Takes the user's step if the screen offers it; a screen without a session first leads to a login.
    mutating func play(_ step: Step) async throws {
        try await life.settle()
        if let app = life.app, app.session == nil, !Self.isOffered(step, by: app) { try await goOn() }
        guard let app = life.app else { return }
        switch step {
        case .tap(let button): try await tap(button)
        case .enter(let field, let text): if app.inputs.contains(field) { _ = await life.host.enter(field, text) }
        case .enterCode:
            guard app.inputs.contains(.code), let code = await life.host.codes(sentTo: LeverPairTests.ada).last else {
                return
            }
            _ = await life.host.enter(.code, code)
        case .away:
            try await life.host.switchTo("mail")
            life.clock.advance(by: .seconds(600))
            try await life.host.open()
            await look()
        }
    }

    private static func isOffered(_ step: Step, by app: ReferenceApp) -> Bool {
        switch step {
        case .tap(let button): app.offers.contains(button) || app.rows.contains { $0.buttons.contains(button) }
        case .enter(let field, _): app.inputs.contains(field)
        case .enterCode: app.inputs.contains(.code)
        case .away: true
        }
    }

    /// The way on of a user whose next step the screen does not offer.
    private mutating func goOn() async throws {
        for button in [AppButton.approve, .skip, .notNow, .cancel, .back, .bankID, .approve, .skip] {
            guard let app = life.app, app.session == nil else { return }
            if app.offers.contains(button) { try await tap(button) }
        }
    }

    private mutating func tap(_ button: AppButton) async throws {
        guard let app = life.app else { return }
        let row = app.rows.firstIndex { $0.buttons.contains(button) }
        guard app.offers.contains(button) || row != nil else { return }
        let candidate: String? =
            switch button {
            case .approve: pageResident.name
            case .verifyCode, .passkey, .skip, .notNow, .enable, .addPasskey: LeverPairTests.ada
            default: nil
            }
        let registers = button == .registerActivity && !(app.fields[.activity] ?? "").isEmpty
        _ = try await life.host.tap(button, row: row.map { String($0 + 1) })
        if registers { registered += 1 }
        if [.bankIDPage, .vippsPage].contains(life.app?.screen), button != .approve { pageResident = resident }
        if button == .logOut, life.app?.session == nil { user = nil }
        // A session of the candidate is theirs from now on.
        if let app = life.app, app.session != nil, let candidate, app.preferences.user?.name == candidate {
            user = candidate
        } else if button == .approve, life.app?.screen == .enrolmentPrompt || life.app?.screen == .biometricsRequired {
            user = pageResident.name
        }
        if button == .enable || button == .enableBiometrics, life.app?.message != .biometricsOff {
            hasNewTemplates = false
        }
        await look()
    }

    // MARK: levers

    mutating func pull(_ lever: Lever) async throws {
        let device = life.device
        switch lever {
        case .network: try device.setAirplaneMode(device.lifeState.network == .online)
        case .lock:
            try await device.lock()
            _ = try? await device.unlockByBiometrics()
            if device.lifeState.screen == .locked { _ = try await device.unlock(correctly: true) }
        case .newTemplate:
            enrolments += 1
            try await device.enrolAnother(enrolments)
            hasNewTemplates = true
        case .lockout: await device.lockOut()
        case .providerFault:
            isProviderDown.toggle()
            let outage: ServiceOutage? = isProviderDown ? .unavailable : nil
            life.services.conditions.change { settings in
                settings[ServiceName.bankid].outage = outage
                settings[ServiceName.vipps].outage = outage
            }
        case .policy: life.services.conditions.change { $0.gateway.biometrics = .forbidden }
        case .role:
            for resident in Resident.all {
                _ = try await life.services.changeMember(resident.id, MemberChange(role: .coordinator))
            }
        case .clock: life.clock.advance(by: .seconds(31 * 24 * 3600))
        case .kill: try await device.perform(.kill)
        case .logOut: try await tap(.logOut)
        case .secondUser:
            resident = .ola
            life.services.conditions.change { settings in
                for name in OpenIDProviderName.allCases { settings[name].resident = .ola }
            }
            try await tap(.logOut)
        case .lostPasskey: try? await device.forgetPasskeys()
        }
        try await life.settle()
        await look()
    }

    // MARK: promises

    private mutating func look() async {
        guard let app = life.app else {
            (wasRevealing, hadSession) = (false, false)
            return
        }
        let record = life.host.takeRecord()
        for exchange in record.exchanges {
            switch exchange.request {
            case .activity(let activity, _):
                activities.insert(activity.key)
                if exchange.isSuccess { stored.insert(activity.key) }
            case .expenseClaim(_, let key, _): if exchange.isSuccess { stored.insert(key) }
            default: break
            }
        }
        activities.formUnion(app.preferences.queue.map(\.key))
        lookAtSession(app)
        lookAtWords(app)
        #expect(app.hasWay(at: life.clock.now()), "no way to a session from \(app.screen)")
        (wasRevealing, hadSession) = (!app.revealed.isEmpty, app.session != nil)
    }

    private func lookAtSession(_ app: ReferenceApp) {
        guard app.session != nil else {
            #expect(app.revealed.isEmpty, "protected data without a session")
            return
        }
        #expect(app.preferences.user?.name == user, "the session of \(app.preferences.user?.name ?? "no user")")
        // A new finger or face opens neither the session nor the protected data.
        if hasNewTemplates, style != .booleanGate {
            #expect(app.revealed.isEmpty || wasRevealing, "protected data after a change of the templates")
            #expect(hadSession || !app.preferences.hasBiometrics, "a session after a change of the templates")
        }
    }

    /// The message says what is so.
    private func lookAtWords(_ app: ReferenceApp) {
        let isOnline = life.device.lifeState.network == .online
        switch app.message {
        case .offline?, .offlineSessionExpired?, .loginOffline?: #expect(!isOnline, "\(app.message as Any) online")
        case .providerUnavailable?: #expect(isProviderDown || !isOnline, "no provider is down")
        case .biometricsOn?: #expect(app.preferences.hasBiometrics, "biometric login is not on")
        case .biometricsDisabled?: #expect(!app.preferences.hasBiometrics, "biometric login is on")
        case .queued(let count)?: #expect(app.preferences.waitingActivities.count == count, "another number waits")
        case .templatesChanged?: #expect(hasNewTemplates, "the templates are the same")
        default: break
        }
    }

    /// Lets everything be delivered, and counts it: no activity is lost, none is stored twice.
    mutating func end() async throws {
        if life.device.lifeState.network != .online { try life.device.setAirplaneMode(false) }
        try await life.settle()
        await look()
        #expect(
            activities.count == registered, "\(registered) activities were registered, \(activities.count) are known")
        let rows = try await life.server.tables().first { $0.name == "gateway_submissions" }?.rows
        #expect(rows == stored.count, "the server has \(rows ?? 0) submissions, the app heard of \(stored.count)")
    }
}

extension AppRecord.Exchange {
    fileprivate var isSuccess: Bool {
        if case .response(let status, _) = answer { (200..<300).contains(status) } else { false }
    }
}
