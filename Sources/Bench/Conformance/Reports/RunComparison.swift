/// The cases at which two runs differ, such as a real key and its virtual twin, or a server before and after a change.
///
/// Only cases that both runs performed are compared: a case that one of them did not run says nothing about the other.
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
        package let verdict: Verdict
        /// What was seen, or the reason; empty for a case that passed.
        package let seen: [String]
    }

    package let first: ConformanceSubject
    package let second: ConformanceSubject
    /// The number of cases that both runs performed.
    package let compared: Int
    /// The number of cases that only one of the runs has, or performed.
    package let left: Int
    package let differences: [Difference]

    package init(_ first: ConformanceReport, _ second: ConformanceReport) {
        self.first = first.subject
        self.second = second.subject
        let ran = first.entries.filter { $0.result.verdict != .notRun }
        let others = Dictionary(
            second.results.filter { $0.verdict != .notRun }.map { ($0.id, $0) }
        ) { one, _ in one }
        let pairs = ran.compactMap { entry in others[entry.result.id].map { (entry, $0) } }
        compared = pairs.count
        left = Set((first.results + second.results).map(\.id)).count - pairs.count
        differences = pairs.compactMap { entry, other in
            let (one, other) = (Side(entry.result), Side(other))
            guard one != other else { return nil }
            return Difference(
                id: entry.description.id, title: entry.description.title, clause: entry.description.clause, first: one,
                second: other)
        }
    }
}

extension RunComparison.Side {
    fileprivate init(_ result: CaseResult) {
        self.init(
            verdict: result.verdict, seen: result.reason.map { [$0] } ?? result.deviations.map(\.seen))
    }
}
