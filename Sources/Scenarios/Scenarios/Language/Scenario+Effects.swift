internal import DeviceActs
internal import Documents

extension Scenario {
    /// Checks that a later step or an expectation can see the effect of each step whose own success shows nothing.
    func checkEffects() throws(SourceError) {
        try checkApp()
        var isSeen = steps.map { _ in true }
        for index in steps.indices.reversed() {
            guard let trace = steps[index].trace else { continue }
            isSeen[index] = steps.indices[(index + 1)...].contains { isSeen[$0] && sees(trace, steps[$0]) }
        }
        let unseen = steps.indices.filter { !isSeen[$0] }.map { index in
            steps[index].place.error(
                "no expectation and no later step shows the effect of \(steps[index].word); "
                    + "remove it, give it an expect, or add a step that shows the effect")
        }
        if let error = SourceError.joining(unseen) { throw error }
    }

    /// Refuses an expectation on the reference app where no step opens it.
    private func checkApp() throws(SourceError) {
        guard !steps.contains(where: { if case .app = $0.action { true } else { false } }) else { return }
        let mistakes = steps.compactMap { step in
            step.expectation.checks.first { $0.subject.source == .app }.map { check in
                step.place.error(
                    "\(check.subject.name) looks at the reference app, and no step uses the app; add `open`, or remove it"
                )
            }
        }
        if let error = SourceError.joining(mistakes) { throw error }
    }

    private func sees(_ trace: ScenarioStep.Trace, _ later: ScenarioStep) -> Bool {
        switch trace {
        case .time: true
        // An app and a provider notice more than the steps of their device.
        case .devices(let names): !names.isDisjoint(with: observedDevices.union(later.devices))
        case .server: later.asksServer || steps.contains { $0.taps != nil }
        }
    }
}

extension ScenarioStep {
    /// The places where a step leaves an effect.
    fileprivate enum Trace {
        case devices(Set<String>)
        case server
        /// The clock of every device and server.
        case time
    }

    /// The effect that a later step has to see; nil for a step whose result shows its effect, and for a setting or a fault,
    /// whose use the run watches.
    fileprivate var trace: Trace? {
        // The prompts of a step are a result.
        guard !expectation.looks, person.isEmpty, pins.isEmpty, interruptions.isEmpty else { return nil }
        return switch action {
        case .site(.restartServer), .service(.member), .service(.endSessions), .service(.proveAddress): .server
        case .device(.act(let act)): act.isPreparation && act.setting == nil ? .devices(Set(devices)) : nil
        case .device(.restore), .device(.sharePasskey), .device(.replaceDevice), .device(.importPasskeys),
            .page(.conditionalMediation), .page(.signal), .app(.switchTo):
            .devices(Set(devices))
        case .wait, .setClockBack: .time
        case .site, .service, .ceremony, .page, .device, .app, .check: nil
        }
    }

    /// Whether it shows the state of the relying party or of a service beside it.
    fileprivate var asksServer: Bool {
        if expectation.checks.contains(where: { !$0.isOutcome && !$0.subject.needsDevice }) { return true }
        return switch action {
        case .ceremony, .app: true
        case .page(.conditionalMediation): false
        case .page: true
        case .site: action.usesSession
        case .service, .device, .wait, .setClockBack, .check: false
        }
    }
}
