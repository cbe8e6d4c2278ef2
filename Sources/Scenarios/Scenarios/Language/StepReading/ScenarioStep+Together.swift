internal import Documents
internal import RelyingPartyServer

extension ScenarioStep {
    /// The word of a list of steps that are played side by side.
    static let togetherWord = "together"

    /// The steps of an entry: one, or the list under `together`.
    static func steps(reading item: YAMLValue, devices: [String]) throws(SourceError) -> [ScenarioStep] {
        guard item.isMapping, let entry = try item.entries().first, entry.key == togetherWord,
            try item.entries().count == 1
        else { return [try ScenarioStep(reading: item, devices: devices)] }
        guard try entry.value.items().count > 1 else {
            throw entry.value.error("together has fewer than two steps; add a step, or write the step without together")
        }
        var steps: [ScenarioStep] = []
        _ = try entry.value.eachItem { item in
            var step = try ScenarioStep(reading: item, devices: devices)
            step.together = entry.value.source
            guard step.action.sharesStage else {
                throw step.place.error("\(step.word) affects the other steps; move it before or after together")
            }
            if let device = step.device, steps.contains(where: { $0.device == device }) {
                throw step.place.error("together has two steps of \(device); keep one of them")
            }
            steps.append(step)
        }
        return steps
    }
}

extension ScenarioStep.Action {
    /// Whether other steps can be played beside it.
    fileprivate var sharesStage: Bool {
        switch self {
        case .site(.restartServer), .site(.useSession), .wait, .setClockBack: false
        case .site, .service, .ceremony, .page, .device, .app, .check: true
        }
    }
}

extension ScenarioStep.Action {
    /// Whether it sends requests in a session with the relying party.
    var usesSession: Bool {
        switch self {
        case .site(.useSession), .site(.restartServer), .site(.slowServer), .site(.failingServer): false
        case .site, .ceremony, .page: true
        case .service, .device, .app, .wait, .setClockBack, .check: false
        }
    }

    /// The reason why the step itself never shows what a subject needs; nil when it can.
    func obstacle(to source: Expectation.Subject.Source) -> String? {
        switch (self, source) {
        case (.device, .request), (.wait, .request), (.setClockBack, .request), (.check, .request):
            "sends the relying party no request"
        case (.device, .ceremony), (.wait, .ceremony), (.setClockBack, .ceremony), (.check, .ceremony):
            "has no ceremony at a client"
        case (.app, .request): "shows the requests of the app, which `sends` and `received` look at"
        case (.site(.listPasskeys), .passkeyList), (.site(.deletePasskey), .passkeyList): nil
        case (_, .passkeyList): "does not list the relying party's passkeys, as list-passkeys does"
        default: nil
        }
    }
}

extension Scenario {
    /// The steps in the order of playing: each alone, or those of a `together`.
    var groups: [ArraySlice<ScenarioStep>] {
        steps.indices.reduce(into: []) { groups, index in
            if let together = steps[index].together, let last = groups.last, last.last?.together == together {
                groups[groups.count - 1] = steps[last.startIndex...index]
            } else {
                groups.append(steps[index...index])
            }
        }
    }
}
