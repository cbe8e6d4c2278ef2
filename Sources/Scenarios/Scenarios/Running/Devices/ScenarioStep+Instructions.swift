internal import Biometrics
internal import SimulatedDevice

extension UserAct {
    /// The instruction to the user of a real key; nil for an act that is impossible with one.
    var instruction: String? {
        switch self {
        case .touch: "touch the key"
        case .choose(let index): "choose account \(index + 1)"
        case .gate(.sample(.match, nil)): "show an enrolled finger"
        case .gate(.sample(.nonMatch, nil)): "show a finger that is not enrolled"
        case .gate(.sample(.badCapture(let hint), nil)) where !hint.isProgress: "show the tip of a finger only"
        case .gate(.noAnswer): "do not touch the key"
        case .gate, .touchBriefly, .sample: nil
        }
    }
}

extension ScenarioStep {
    /// The instructions to the user of a real device before the step.
    var instructions: String {
        guard !person.isEmpty else { return "touch the key" }
        var runs: [(instruction: String, count: Int)] = []
        for instruction in person.compactMap(\.instruction) {
            if let last = runs.indices.last, runs[last].instruction == instruction {
                runs[last].count += 1
            } else {
                runs.append((instruction, 1))
            }
        }
        return runs.map { $0.count == 1 ? $0.instruction : "\($0.instruction), \($0.count) times" }
            .joined(separator: ", then ")
    }
}
