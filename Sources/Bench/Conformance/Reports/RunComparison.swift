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

    /// The result of one of the runs for a case.
    package struct Side: Codable, Hashable, Sendable {
        package let verdict: Verdict
        /// The observed behaviour, or the reason; empty for a case that passed.
        package let seen: [String]

        package init(verdict: Verdict, seen: [String]) {
            self.verdict = verdict
            self.seen = seen
        }

        package init(_ result: CaseResult) {
            self.init(verdict: result.verdict, seen: result.reason.map { [$0] } ?? result.deviations.map(\.seen))
        }

        /// Whether two runs agree: reasons for a case that concerns neither of them may differ.
        fileprivate func agrees(with other: Side) -> Bool {
            verdict == other.verdict && (verdict == .notApplicable || seen == other.seen)
        }
    }

    package let first: ConformanceSubject
    package let second: ConformanceSubject
    /// The number of cases that both runs performed.
    package let compared: Int
    /// The number of cases that only one of the runs has, or performed.
    package let left: Int
    package let differences: [Difference]

    package init(_ first: ConformanceReport, _ second: ConformanceReport) {
        self.init(
            first, Dictionary(second.results.map { ($0.id, Side($0)) }) { one, _ in one }, of: second.subject,
            cases: Set((first.results + second.results).map(\.id)).count)
    }

    /// Compares a run with answers that are kept, without those to other cases than the run's.
    package init(_ run: ConformanceReport, with answers: [String: Side], of subject: ConformanceSubject) {
        self.init(run, answers, of: subject, cases: run.results.count)
    }

    private init(
        _ first: ConformanceReport, _ answers: [String: Side], of second: ConformanceSubject, cases: Int
    ) {
        self.first = first.subject
        self.second = second
        let pairs = first.entries.compactMap { entry in
            answers[entry.result.id].map { (description: entry.description, one: Side(entry.result), other: $0) }
        }
        .filter { $0.one.verdict != .notRun && $0.other.verdict != .notRun }
        compared = pairs.count
        left = cases - pairs.count
        differences = pairs.filter { !$0.one.agrees(with: $0.other) }.map { description, one, other in
            Difference(
                id: description.id, title: description.title, clause: description.clause, first: one, second: other)
        }
    }
}
