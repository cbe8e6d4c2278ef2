internal import AppHost
internal import Documents
internal import ReferenceApp
internal import SimulatedDevice

extension Stage {
    /// The scenario's keys about users, accounts and the app that nothing in the run used.
    func unusedKeys(of scenario: Scenario) async -> [Mismatch] {
        var unused: [Mismatch] = []
        for (name, place) in scenario.placesOfPeople.sorted(by: { $0.key < $1.key }) {
            guard let model = devices[name]?.simulation?.model, !model.hasGivenSample else { continue }
            unused.append(
                .unusedKey(
                    "people", place.line,
                    "a prompt on \(name) that takes a sample of the model, without an act of person"))
        }
        for (account, declared) in zip(accounts, scenario.accounts) where await !account.hasHadPasskey {
            unused.append(.unusedKey("sync", declared.place.line, "a passkey that reaches \(declared.name)"))
        }
        guard let plan = scenario.app else { return unused }
        for key in AppPlan.Key.allCases where !plan.isUsual(key) {
            guard let place = plan.places[key], !isUsed(key) else { continue }
            unused.append(.unusedKey(key.rawValue, place.line, key.use))
        }
        return unused
    }

    private func isUsed(_ key: AppPlan.Key) -> Bool {
        switch key {
        case .style: hasDecided(.style)
        case .policy: hasDecided(.policy)
        case .lockAfter: hasDecided(.lockAfter)
        case .storageLatency: settings.isMet(.app(key))
        case .conditionalMediation: hasDecided(.conditionalMediation)
        }
    }

    private func hasDecided(_ decision: AppSettings.Decision) -> Bool {
        apps.values.contains { $0.decisions.contains(decision) }
    }
}

extension Mismatch {
    fileprivate static func unusedKey(_ name: String, _ line: Int, _ use: String) -> Mismatch {
        Mismatch(line: line, subject: name, expected: use, seen: "none until the end of the run")
    }
}
