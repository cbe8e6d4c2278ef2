internal import DeviceActs
internal import DeviceProfiles
internal import Documents
internal import SimulatedDevice

extension Scenario {
    /// The LAContext of an app, by the name that its steps share.
    private struct Context: Hashable {
        let device: String
        let app: String
        let name: String
    }

    /// The contexts that only one step names: with one use, a name has the effect of a new context.
    func contextMistakes(_ profiles: [String: DeviceProfile]) -> [SourceError] {
        var uses: [Context: [(act: DeviceAct, place: SourcePlace)]] = [:]
        for step in steps {
            guard let device = step.device, profiles[device]?.platform.isApple == true else { continue }
            var acts = step.interruptions.map(\.act)
            if case .device(.act(let act)) = step.action { acts.append(act) }
            for act in acts {
                guard let name = act.arguments["context"] else { continue }
                let context = Context(device: device, app: act.arguments["app"] ?? "", name: name)
                uses[context, default: []].append((act, step.place))
            }
        }
        let mistakes = uses.compactMap { context, uses -> (line: Int, error: SourceError)? in
            // The device itself refuses to compare or to invalidate a context that it does not know.
            guard uses.count == 1, !uses[0].act.isPreparation else { return nil }
            let message = "only this step uses the context \"\(context.name)\"; remove it, or name that of another step"
            return (uses[0].place.line, uses[0].place.error(message))
        }
        return mistakes.sorted { $0.line < $1.line }.map(\.error)
    }
}
