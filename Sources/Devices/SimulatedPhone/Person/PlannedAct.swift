internal import Biometrics
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import Wording

/// A place in the code of a test.
struct CodePlace: Hashable, Sendable, CustomStringConvertible {
    let file: String
    let line: Int

    var description: String { "\(file):\(line)" }
}

/// An act of the plan, with its place in the test.
struct PlannedAct: Hashable, Sendable {
    let act: PersonAct
    let place: CodePlace
    /// The reason why no prompt of the phone asks for the act; nil for a possible act.
    let obstacle: String?

    /// A sentence for each run of equal acts.
    static func sentences(about acts: some Collection<PlannedAct>) -> [String] {
        var runs: [(act: PlannedAct, count: Int)] = []
        for act in acts {
            if runs.last?.act == act { runs[runs.count - 1].count += 1 } else { runs.append((act, 1)) }
        }
        return runs.map { act, count in
            let reason =
                act.obstacle.map { "the device \($0); remove the act" }
                ?? "no prompt asked for it; remove the act, or ask for a prompt"
            let times = count == 1 ? "" : ", \(Wording.counted(count, "time"))"
            return "\(act.place): \(act.act)\(times): \(reason)"
        }
    }
}

/// An act that a prompt for a verification got, of the user or of the system.
struct PresentedGateAct: Hashable, Sendable {
    let act: GateAct
    /// The reason why the prompt ignored it; nil for an act with an effect.
    let ignored: String?

    /// - Returns: nil for another event.
    init?(_ kind: AuthenticatorEvent.Kind) {
        guard case .gate(let event) = kind, case .present(let act) = event.input else { return nil }
        self.act = act
        ignored = IgnoredAct(kind)?.reason
    }
}

/// A planned act that a prompt ignored.
struct IgnoredPlan: Hashable, Sendable {
    /// The act's place in the plan, from 0.
    let place: Int
    let reason: String

    /// - Returns: nil for an act without a plan, and for one with an effect.
    init?(_ presented: PresentedGateAct, _ given: ControlledUser.GivenAct) {
        guard let place = given.place, let reason = presented.ignored else { return nil }
        (self.place, self.reason) = (place - 1, reason)
    }
}

extension GateEvent {
    /// Whether a prompt opened.
    var opensPrompt: Bool {
        guard case .begin = input else { return false }
        return stageAfter != .idle
    }
}
