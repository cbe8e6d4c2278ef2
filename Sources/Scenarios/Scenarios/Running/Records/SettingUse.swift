internal import Biometrics
internal import DeviceActs
internal import Providers
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
internal import Wording

/// The settings that a run's steps change, such as an outage or a delay, and those that were used.
final class SettingUse: Sendable {
    /// A setting by the part of the run that it belongs to.
    enum Setting: Hashable, Sendable {
        case service(ServiceSettings.Effect)
        case server(ServerTrouble.Effect)
        case device(String, DeviceSetting)
    }

    /// A setting that a step changes.
    fileprivate struct Change {
        let setting: Setting
        /// Whether it gets its default value, which needs no use.
        let isUsual: Bool
        /// The expected event; nil for the usual event of the setting.
        var expected: String?
    }

    private struct Changed {
        let change: Change
        let step: Int
        let line: Int
        let word: String
        var isMet = false
        /// The line of the step that changes the setting again; nil until the end of the run.
        var end: Int?
    }

    private struct State {
        var changes: [Changed] = []
        /// The devices that are away with theft protection on.
        var protected: Set<String> = []
    }

    private let state = Mutex(State())
    private let observed: Set<String>

    /// - Parameter observed: the devices whose network matters beyond their own steps.
    init(observed: Set<String>) { self.observed = observed }

    /// Notes the settings that were met in a step, and those that it changes.
    ///
    /// - Parameter life: the state of the step's device afterwards.
    func note(
        _ step: ScenarioStep, number: Int, events: [AuthenticatorEvent], on life: LifeState?, at site: Site?
    ) {
        var met: Set<Setting> = []
        if let site {
            met.formUnion(site.services.conditions.takeEffects().map(Setting.service))
            met.formUnion(site.conditions.takeEffects().map(Setting.server))
        }
        let changes = step.settings
        state.withLock { state in
            if let device = step.device {
                let isProtected = life?.needsSensor == true
                let settings = step.met(by: events, isProtected: isProtected || state.protected.contains(device))
                met.formUnion(settings.map { .device(device, $0) })
                if isProtected { state.protected.insert(device) } else { state.protected.remove(device) }
            }
            for index in state.changes.indices where state.changes[index].end == nil {
                let setting = state.changes[index].change.setting
                if met.contains(setting) || setting.isUsed(by: step, observed: observed) {
                    state.changes[index].isMet = true
                }
                if changes.contains(where: { $0.setting == setting }) { state.changes[index].end = step.line }
            }
            state.changes += changes.filter { !$0.isUsual }.map {
                Changed(change: $0, step: number, line: step.line, word: step.word)
            }
        }
    }

    /// The settings that nothing met, by the number of their step.
    var mismatches: [Int: [Mismatch]] {
        let unmet = state.withLock { $0.changes }.filter { !$0.isMet }
        return Dictionary(grouping: unmet, by: \.step).mapValues { changes in
            changes.map { changed in
                Mismatch(
                    line: changed.line, subject: changed.word,
                    expected: changed.change.expected ?? changed.change.setting.words,
                    seen: (changed.change.expected == nil ? "none" : "fewer") + " until "
                        + (changed.end.map { "line \($0) changes it" } ?? "the end of the run"))
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
        case .server(.allFailures): "a request that fails"
        case .device(let device, .passkeyDelay): "a new passkey on \(device)"
        case .device(let device, .airplaneMode): "a step while \(device) is in airplane mode"
        case .device(let device, .sensor), .device(let device, .lockout), .device(let device, .passcodeDemand):
            "a later step on \(device)"
        case .device(let device, .permission): "a prompt or a check by an app on \(device)"
        case .device(let device, .theftProtection): "a prompt on \(device)"
        case .device(let device, .place):
            "a prompt on \(device) away from familiar places, with theft protection on"
        }
    }
}

extension SettingUse.Setting {
    /// Whether a step counts as a use of the setting, whatever its device does.
    ///
    /// - Parameter observed: the devices whose network matters beyond their own steps.
    fileprivate func isUsed(by step: ScenarioStep, observed: Set<String>) -> Bool {
        guard case .device(let device, let setting) = self else { return false }
        var changed: DeviceSetting?
        if case .device(.act(let act)) = step.action { changed = act.setting?.setting }
        switch setting {
        case .airplaneMode where observed.contains(device): return changed == nil || changed == .airplaneMode
        case .airplaneMode, .sensor, .lockout, .passcodeDemand:
            return step.devices.contains(device) && changed == nil
        case .passkeyDelay, .permission, .theftProtection, .place: return false
        }
    }
}

extension Scenario {
    /// The devices whose network matters beyond their own steps: those with an app, and those of an account that syncs.
    var observedDevices: Set<String> {
        Set(accounts.flatMap(\.devices)).union(steps.filter { $0.taps != nil }.compactMap(\.device))
    }
}

extension ScenarioStep {
    fileprivate var settings: [SettingUse.Change] {
        switch action {
        case .service(let step):
            return step.settings.map { SettingUse.Change(setting: .service($0.effect), isUsual: $0.isUsual) }
        case .site(.slowServer(let span)):
            return [SettingUse.Change(setting: .server(.latency), isUsual: span == .zero)]
        case .site(.failingServer(_, let times)):
            return [
                SettingUse.Change(
                    setting: .server(.allFailures), isUsual: false,
                    expected: times == 1 ? nil : "\(times) requests that fail")
            ]
        case .device(.act(let act)):
            // A step that looks at the new state uses it.
            guard let change = act.setting, let device else { return [] }
            return [
                SettingUse.Change(
                    setting: .device(device, change.setting), isUsual: change.isUsual || expectation.looks)
            ]
        case .site, .ceremony, .page, .device, .app, .wait, .check: return []
        }
    }

    /// The settings of a device that the step meets.
    ///
    /// - Parameter isProtected: whether the device is away with theft protection on.
    fileprivate func met(by events: [AuthenticatorEvent], isProtected: Bool) -> Set<DeviceSetting> {
        var met: Set<DeviceSetting> = []
        let isPrompt = events.contains { event in
            if case .gate(let gate) = event.kind, case .begin = gate.input { true } else { false }
        }
        // An Android app can demand an Identity Check at any place.
        if isPrompt { met.insert(.theftProtection) }
        if isPrompt, isProtected { met.insert(.place) }
        if isPrompt || action.operation != nil || taps != nil { met.insert(.permission) }
        if events.contains(where: { if case .credentialCreated = $0.kind { true } else { false } }) {
            met.insert(.passkeyDelay)
        }
        return met
    }
}
