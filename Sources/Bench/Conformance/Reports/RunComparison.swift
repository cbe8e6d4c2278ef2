/// The cases at which two runs differ, such as a real key and its virtual twin, or a server before and after a change.
package struct RunComparison: Encodable, Sendable {
    /// A case with different verdicts or different deviations.
    package struct Difference: Encodable, Sendable {
        package let id: String
        package let title: String
        package let clause: Clause
        package let first: Side
        package let second: Side
    }

    /// What one of the runs says about a case.
    package struct Side: Encodable, Hashable, Sendable {
        /// Nil where the run does not have the case.
        package let verdict: Verdict?
        /// What was seen, or the reason; empty for a case that passed.
        package let seen: [String]
    }

    package let first: ConformanceSubject
    package let second: ConformanceSubject
    /// The number of cases that both runs have.
    package let compared: Int
    package let differences: [Difference]

    package init(_ first: ConformanceReport, _ second: ConformanceReport) {
        self.first = first.subject
        self.second = second.subject
        let others = Dictionary(second.entries.map { ($0.result.id, $0) }) { one, _ in one }
        let ids = Set(first.results.map(\.id))
        compared = ids.intersection(others.keys).count
        let shared = first.entries.map {
            ($0.description, Side($0.result), others[$0.result.id].map { Side($0.result) })
        }
        let onlySecond = second.entries.filter { !ids.contains($0.result.id) }
            .map { ($0.description, Side?.none, Side?.some(Side($0.result))) }
        differences = (shared.map { ($0.0, Side?.some($0.1), $0.2) } + onlySecond).compactMap {
            description, one, other in
            let (one, other) = (one ?? .missing, other ?? .missing)
            guard one != other else { return nil }
            return Difference(
                id: description.id, title: description.title, clause: description.clause, first: one, second: other)
        }
    }
}

extension RunComparison.Side {
    fileprivate static let missing = RunComparison.Side(verdict: nil, seen: [])

    fileprivate init(_ result: CaseResult) {
        self.init(
            verdict: result.verdict, seen: result.reason.map { [$0] } ?? result.deviations.map(\.seen))
    }
}
