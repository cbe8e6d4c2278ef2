/// A choice among a scenario's runs in which each two values of different parameters still meet.
///
/// Most faults of combinations need two values; the choice finds them with a fraction of the runs. A scenario with one parameter
/// keeps every run.
enum PairwiseChoice {
    /// Two choices of one run; a single choice is paired with itself.
    private struct Pair: Hashable {
        let first, second: Combination.Choice
    }

    /// The chosen runs of each file, in the same order: each run adds the most pairs that no earlier one has.
    static func choose(from runs: [Scenario]) -> [Scenario] {
        var chosen: Set<Int> = []
        let indices = Dictionary(grouping: runs.indices) { runs[$0].file }
        for indices in indices.values { chosen.formUnion(choose(indices, of: runs)) }
        return runs.indices.filter(chosen.contains).map { runs[$0] }
    }

    private static func choose(_ indices: [Int], of runs: [Scenario]) -> [Int] {
        let pairs = indices.map { pairs(of: runs[$0].combination) }
        var missing = pairs.reduce(into: Set<Pair>()) { $0.formUnion($1) }
        // A scenario without a matrix has one run and no pair.
        guard !missing.isEmpty else { return indices }
        var chosen: [Int] = []
        while !missing.isEmpty {
            let gains = pairs.map { pairs in pairs.count(where: missing.contains) }
            guard let best = gains.indices.max(by: { gains[$0] < gains[$1] || gains[$0] == gains[$1] && $0 > $1 })
            else { break }
            missing.subtract(pairs[best])
            chosen.append(indices[best])
        }
        return chosen
    }

    private static func pairs(of combination: Combination) -> [Pair] {
        let choices = combination.choices
        return choices.indices.flatMap { first in
            choices[first...].dropFirst(choices.count > 1 ? 1 : 0).map { Pair(first: choices[first], second: $0) }
        }
    }
}
