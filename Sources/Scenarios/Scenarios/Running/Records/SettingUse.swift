internal import DeviceActs
internal import Providers
internal import RelyingPartyServer
internal import Synchronization
internal import VirtualAuthenticator

/// The settings that a run's steps change, such as an outage or a delay, and those that were used.
final class SettingUse: Sendable {
    /// A setting by the part of the run that it belongs to.
    enum Setting: Hashable, Sendable {
        case service(ServiceSettings.Effect)
        case server(ServerTrouble.Effect)
        /// The delay of new passkeys on a device.
        case passkeyDelay(device: String)
    }

    private struct Changed {
        let setting: Setting
        let step: Int
        let line: Int
        let word: String
        var isMet = false
        /// The line of the step that changes the setting again; nil until the end of the run.
        var end: Int?
    }

    private let changes = Mutex<[Changed]>([])

    /// Notes the settings that were met in a step, and those that it changes.
    func note(_ step: ScenarioStep, number: Int, events: [AuthenticatorEvent], at site: Site?) {
        var met: Set<Setting> = []
        if let site {
            met.formUnion(site.services.conditions.takeEffects().map(Setting.service))
            met.formUnion(site.conditions.takeEffects().map(Setting.server))
        }
        let createsPasskey = events.contains { if case .credentialCreated = $0.kind { true } else { false } }
        if createsPasskey, let device = step.device { met.insert(.passkeyDelay(device: device)) }
        let settings = step.settings
        changes.withLock { changes in
            for index in changes.indices where changes[index].end == nil {
                let setting = changes[index].setting
                if met.contains(setting) { changes[index].isMet = true }
                if settings.contains(where: { $0.setting == setting }) { changes[index].end = step.line }
            }
            changes += settings.filter { !$0.isUsual }.map {
                Changed(setting: $0.setting, step: number, line: step.line, word: step.word)
            }
        }
    }

    /// The settings that nothing met, by the number of their step.
    var mismatches: [Int: [Mismatch]] {
        let unmet = changes.withLock { $0 }.filter { !$0.isMet }
        return Dictionary(grouping: unmet, by: \.step).mapValues { changes in
            changes.map { change in
                Mismatch(
                    line: change.line, subject: change.word, expected: change.setting.words,
                    seen: "none until " + (change.end.map { "line \($0) changes it" } ?? "the end of the run"))
            }
        }
    }
}

extension SettingUse.Setting {
    /// The event that meets it.
    fileprivate var words: String {
        switch self {
        case .service(.availability(let name)): "a request that the state of \(name.rawValue) concerns"
        case .service(.fault(let name)): "an answer of \(name.title) that the fault changes"
        case .service(.nationalID(let name)): "a login with \(name.title) that reads the personnummer"
        case .service(.resident(let name)): "a login with \(name.title)"
        case .service(.accessLifetime), .service(.sessionLifetime), .service(.inactivityLimit), .service(.biometrics):
            "a session of the app's backend that the setting concerns"
        case .service(.rule(let organisation)): "a session of a member of \(organisation.rawValue)"
        case .service(.mailbox): "a message"
        case .service(.wellKnown): "a request for a well-known file"
        case .server(.latency): "a request to the server"
        case .passkeyDelay: "a new passkey"
        }
    }
}

extension ScenarioStep {
    /// The settings that the step changes; `isUsual` marks a default value, which needs no use.
    fileprivate var settings: [(setting: SettingUse.Setting, isUsual: Bool)] {
        switch action {
        case .service(let step): return step.settings.map { (.service($0.effect), $0.isUsual) }
        case .site(.slowServer(let span)): return [(.server(.latency), span == .zero)]
        case .device(.act(let act)):
            guard let delay = act.passkeyDelay, let device else { return [] }
            return [(.passkeyDelay(device: device), delay == 0)]
        case .site, .ceremony, .page, .device, .app, .wait, .check: return []
        }
    }
}
