internal import Biometrics
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import Wording

/// The reasons why acts of the user had no effect.
extension DeviceRecord {
    /// The acts that prompts ignored, and the question at the first of them; nil when every ignored act is expected.
    func ignoredWords(besides expected: [String]) -> String? {
        let acts = presented
        let ignored = acts.indices.filter { acts[$0].event.step == .ignored && !expected.contains(acts[$0].word) }
        guard let first = ignored.first else { return nil }
        let stage = acts[first].event.stageBefore
        let turn = acts[..<first].lastIndex { $0.event.stageBefore != stage && $0.event.stageAfter == stage }
        return "the prompt ignored \(ignored.map { acts[$0].word }.joined(separator: ", ")): it "
            + stage.question(acts[first].event.modality) + (turn.map { " after \(acts[$0].title)" } ?? "")
    }

    /// The acts that no prompt asked for, and the end of the prompts; nil when none is left.
    ///
    /// - Parameter person: all acts of the step.
    func unusedWords(of person: [UserAct]) -> String? {
        guard !unusedActs.isEmpty else { return nil }
        let words = "no prompt for \(unusedActs.map(\.word).joined(separator: ", "))"
        let isChoice = unusedActs.contains(where: \.isChoice)
        let order = orderWords(person).map { "; " + $0 } ?? ""
        guard let reason = isChoice ? offerWords : endWords else { return words + order }
        return "\(words): \(reason)\(order)"
    }

    /// The right order of acts for the sensor that stand behind a choice of an account; nil without such acts.
    private func orderWords(_ person: [UserAct]) -> String? {
        guard let choice = person.dropLast(unusedActs.count).last(where: \.isChoice), let next = unusedActs.first,
            !next.isChoice
        else { return nil }
        return "the choice of an account comes after the sensor, so write \(next.word) before \(choice.word)"
    }

    /// The offered accounts, with the acts that choose them.
    private var offerWords: String {
        guard let accounts = offers.last else { return "the step offered no choice of accounts" }
        let choices = accounts.enumerated().map { place, name in
            "choose:\(place + 1)" + (name.map { " for \($0)" } ?? "")
        }
        return "the prompt offered \(Wording.counted(accounts.count, "account")), the newest first; write "
            + choices.joined(separator: ", ")
    }

    private var endWords: String? {
        let acts = presented
        guard let last = acts.last, case .ended(let outcome) = last.event.step else { return nil }
        return "the prompt ended after \(last.title): \(outcome.cause)"
    }

    private var presented: [PresentedAct] {
        var given = given[...]
        return events.compactMap { event in
            guard case .gate(let gate) = event.kind, case .present(let act) = gate.input else { return nil }
            // The system's own acts, such as the end of a prompt on a locked screen, are not the user's.
            let own = given.first?.act == act ? given.popFirst() : nil
            return PresentedAct(
                event: gate, word: UserAct.gate(act.sample.map { .sample($0) } ?? act).word, own: own)
        }
    }
}

/// An act at a prompt.
private struct PresentedAct {
    let event: GateEvent
    let word: String
    /// The user's act; nil for one of the system.
    let own: ControlledUser.GivenAct?

    var title: String {
        guard let own else { return word }
        return (own.place.map { "the \(Wording.ordinal($0)) act" } ?? "the default act") + ", \(word)"
    }
}

extension UserAct {
    fileprivate var isChoice: Bool { if case .choose = self { true } else { false } }
}

extension GateStage {
    /// The question of a prompt in this stage, with the prompt as its subject.
    fileprivate func question(_ modality: BiometricModality?) -> String {
        switch self {
        case .idle: "was closed"
        case .sensing: "asked for the \(modality?.rawValue ?? "sensor")"
        case .confirming: "asked for a confirmation"
        case .paused: "asked to try again"
        case .stopped: "offered the fallback only"
        case .challengePhrase: "asked for the challenge phrase"
        case .deviceCredential: "asked for the passcode"
        }
    }
}
