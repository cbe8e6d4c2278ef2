package import SimulatedDevice
internal import Wording

/// The acts that callers tell the device's user.
extension DeviceHost {
    /// The acts that prompts of the device can ask for in its present state.
    package var possibleActs: PossibleActs { get async { await PossibleActs(device) } }

    /// Refuses acts that no prompt of the device asks for, and a first act that the open prompt would ignore.
    func requirePossible(_ acts: [UserAct]) async throws(DeviceHostError) {
        let possible = await possibleActs
        let open = await person.openPrompt
        for (index, act) in acts.enumerated() {
            // A reset asks for a touch at every device.
            if index == 0, let open, open.question.admits(act) { continue }
            guard let obstacle = possible.obstacle(to: act) else { continue }
            throw .impossible(
                "\(act.word) is impossible: \(name) \(obstacle); choose from \(possible.words.joined(separator: ", "))")
        }
        guard let first = acts.first, let open, open.question.ignores(first) else { return }
        throw .impossible(
            "the open prompt asks for \(open.asksFor) and ignores \(first.word); it takes "
                + open.question.answers.filter { !$0.contains(":") || !open.question.accounts.isEmpty }
                .joined(separator: ", "))
    }

    /// Tells the user acts.
    ///
    /// - Returns: which acts wait for a prompt; nil when none does.
    func present(_ acts: [UserAct]) async -> String? {
        var waiting: [String] = []
        var before: Int?
        for act in acts {
            guard let place = await person.tell(act) else { continue }
            waiting.append(act.word)
            before = before ?? place
        }
        guard let before else { return nil }
        let words = waiting.joined(separator: ", ")
        return words + (waiting.count == 1 ? " waits for the next prompt" : " wait for the next prompts")
            + (before == 0 ? "" : ", behind \(Wording.counted(before, "other"))")
    }
}
