/// A choice among a scenario's runs in which every two values of different parameters still occur together in one run.
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
        let pairs = indices.map { Self.pairs(of: runs[$0].combination) }
        var missing = pairs.reduce(into: Set<Pair>()) { $0.formUnion($1) }
        // A scenario without a matrix has one run and no pair.
        guard !missing.isEmpty else { return indices }
        var chosen: [Int] = []
        while !missing.isEmpty {
            // The first of the runs that add the most.
            var (best, gain) = (0, 0)
            for (index, pairs) in pairs.enumerated() {
                let count = pairs.count(where: missing.contains)
                if count > gain { (best, gain) = (index, count) }
            }
            missing.subtract(pairs[best])
            chosen.append(indices[best])
        }
        return chosen
    }

    private static func pairs(of combination: Combination) -> [Pair] {
        let choices = combination.choices
        guard choices.count > 1 else { return choices.map { Pair(first: $0, second: $0) } }
        var pairs: [Pair] = []
        for (index, first) in choices.enumerated() {
            for second in choices[(index + 1)...] { pairs.append(Pair(first: first, second: second)) }
        }
        return pairs
    }
}
