internal import RelyingPartyServer

extension Stage {
    /// The failures that no request met until the end of a run, by the number of the step that asked for them.
    nonisolated func unmetFailures(of steps: [ScenarioStep]) -> [Int: [Mismatch]] {
        guard let left = ownSite?.conditions.change({ _ in }).failingRequests, left > 0,
            let index = steps.lastIndex(where: { if case .site(.failingServer) = $0.action { true } else { false } }),
            case .site(.failingServer(_, let times)) = steps[index].action
        else { return [:] }
        let mismatch = Mismatch(
            line: steps[index].line, subject: "failing-server",
            expected: times == 1 ? "a request that fails" : "\(times) requests that fail",
            seen: "\(times - left) until the end of the run")
        return [index + 1: [mismatch]]
    }
}
