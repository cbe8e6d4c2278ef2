internal import DeviceActs
internal import RelyingPartyServer
internal import SimulatedDevice

/// The settings that steps change.
extension ScenarioStep {
    /// The settings that the step and the acts during its prompts change.
    var settings: [SettingUse.Change] { ownSettings + interruptions.compactMap(setting) }

    private var ownSettings: [SettingUse.Change] {
        switch action {
        case .service(let step):
            step.settings.map { change(of: .service($0.effect), needsUse: !$0.isUsual) }
        case .site(.slowServer(let span)): [change(of: .server(.latency), needsUse: span > .zero)]
        case .site(.failingServer(_, let times)): [change(of: .failures, needsUse: true, uses: times)]
        case .device(.act(let act)):
            [act.setting].compactMap(\.self).compactMap { change in
                device.map {
                    self.change(of: .device($0, change.setting), needsUse: change.needsUse(expectation))
                }
            }
        case .site, .ceremony, .page, .device, .app, .wait, .setClockBack, .check: []
        }
    }

    private func change(of setting: SettingUse.Setting, needsUse: Bool, uses: Int = 1) -> SettingUse.Change {
        SettingUse.Change(setting: setting, line: line, word: word, needsUse: needsUse, uses: uses)
    }

    private func setting(of interruption: Interruption) -> SettingUse.Change? {
        guard let device, let change = interruption.act.setting else { return nil }
        return SettingUse.Change(
            setting: .device(device, change.setting), line: interruption.line, word: interruption.word,
            needsUse: change.needsUse(interruption.expectation, during: expectation), isDuringStep: true)
    }
}

extension DeviceSettingChange {
    /// Whether the run must use the new value: it is not the default, and no expectation shows it.
    ///
    /// - Parameters:
    ///   - expectation: the act's own; an act that is refused changes nothing.
    ///   - step: the expectation of the step whose prompt the act interrupts.
    fileprivate func needsUse(_ expectation: Expectation, during step: Expectation? = nil) -> Bool {
        guard !isUsual, expectation.outcome == .ok else { return false }
        return !setting.isShown || !(expectation.looks || step?.looks == true)
    }
}
