internal import Wording

/// The runs that the command line selects: those that meet every condition.
package struct ScenarioSelection: Sendable {
    /// A condition that no scenario meets: what is wrong, then what to do.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// For each parameter, the values of which a run has one.
    package var parameters: [String: Set<String>] = [:]
    /// Requirements of which a run shows one; none for every run.
    package var requirements: Set<String> = []
    /// Tags of which a run has one; none for every run.
    package var tags: Set<String> = []
    /// Whether only enough runs of each scenario are selected that every two values of different
    /// parameters occur together in one run.
    package var isPairwise = false

    package init() {}

    /// The selected runs, in the same order.
    ///
    /// - Throws: ``Problem`` for a name that no run has, with the nearest ones.
    package func select(from runs: [Scenario]) throws(Problem) -> [Scenario] {
        for (parameter, values) in parameters.sorted(by: { $0.key < $1.key }) {
            try Self.check([parameter], among: runs.flatMap { $0.combination.choices.map(\.parameter) }, "parameter")
            try Self.check(values, among: runs.compactMap { $0.value(of: parameter) }, "value of \(parameter)")
        }
        try Self.check(requirements, among: runs.flatMap(\.requirements), "requirement")
        try Self.check(tags, among: runs.flatMap(\.tags), "tag")
        let selected = runs.filter(includes)
        guard !selected.isEmpty else { throw Problem(description: "no run meets every condition; leave one out") }
        return isPairwise ? PairwiseChoice.choose(from: selected) : selected
    }

    /// The files of which no run is selected, in a sentence; nil when each has one.
    package static func filesLeftOut(_ runs: [Scenario], selected: [Scenario]) -> String? {
        let kept = Set(selected.map(\.file))
        let left = Set(runs.map(\.file)).subtracting(kept).sorted()
        guard !left.isEmpty else { return nil }
        let named = left.count <= 5 ? left.joined(separator: ", ") : Wording.counted(left.count, "file")
        return "no run of \(named) meets the conditions"
    }

    private func includes(_ run: Scenario) -> Bool {
        parameters.allSatisfy { parameter, values in run.value(of: parameter).map(values.contains) ?? false }
            && (requirements.isEmpty || !requirements.isDisjoint(with: run.requirements))
            && (tags.isEmpty || !tags.isDisjoint(with: run.tags))
    }

    private static func check(_ names: Set<String>, among known: [String], _ noun: String) throws(Problem) {
        let known = Set(known).sorted()
        for name in names.sorted() where !known.contains(name) {
            let advice =
                known.isEmpty ? "no scenario has one" : "choose one of \(known.prefix(40).joined(separator: ", "))"
            throw Problem(
                description: "no scenario has the \(noun) \"\(name)\""
                    + NearestNames.question(name, among: known, orElse: advice))
        }
    }
}

extension Scenario {
    fileprivate func value(of parameter: String) -> String? {
        combination.choices.first { $0.parameter == parameter }?.value
    }
}
