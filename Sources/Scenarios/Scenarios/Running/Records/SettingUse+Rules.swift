internal import DeviceActs
internal import Providers
internal import RelyingPartyServer
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The steps and events that use a setting.
extension SettingUse.Setting {
    /// Whether a step counts as a use of the setting, whatever its device does.
    ///
    /// - Parameter observed: the devices whose network matters beyond their own steps.
    func isUsed(by step: ScenarioStep, observed: Set<String>) -> Bool {
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

extension DeviceSetting {
    /// Whether an expectation can show its value.
    var isShown: Bool {
        switch self {
        case .airplaneMode, .sensor, .lockout, .passcodeDemand: true
        case .passkeyDelay, .permission, .theftProtection, .place: false
        }
    }
}

extension ScenarioStep {
    /// The settings that events of the step's device meet.
    func met(by events: [AuthenticatorEvent]) -> Set<SettingUse.Setting> {
        let isNew = events.contains { if case .credentialCreated = $0.kind { true } else { false } }
        guard let device, isNew else { return [] }
        return [.device(device, .passkeyDelay)]
    }
}

extension Stage {
    /// The settings that changed an answer since the last call.
    nonisolated func takeSettingEffects() -> Set<SettingUse.Setting> {
        var met: Set<SettingUse.Setting> = []
        if let ownSite {
            met.formUnion(ownSite.services.conditions.takeEffects().map(SettingUse.Setting.service))
            met.formUnion(ownSite.conditions.takeEffects().map(SettingUse.Setting.server))
        }
        for (name, device) in devices {
            met.formUnion((device.simulation?.device.takeSettingEffects() ?? []).map { .device(name, $0) })
        }
        return met
    }
}

extension Scenario {
    /// The devices whose network matters beyond their own steps: those with an app, and those of an account that syncs.
    var observedDevices: Set<String> {
        Set(accounts.flatMap(\.devices)).union(steps.filter { $0.taps != nil }.compactMap(\.device))
    }
}
