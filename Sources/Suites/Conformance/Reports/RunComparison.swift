/// The cases at which runs differ, such as a real key and its virtual twin, or a server before and after a change.
///
/// Only cases that all runs performed are compared: a case that one of them did not run says nothing about the others.
package struct RunComparison: Encodable, Sendable {
    package struct Row: Sendable {
        package let description: CaseDescription
        package let sides: [Side]

        package var id: String { description.id }

        /// Whether a run differs from the first in its verdict, its deviations or its answers.
        package var isDifferent: Bool { sides.dropFirst().contains { !$0.agrees(with: sides[0]) } }
    }

    package struct Side: Codable, Hashable, Sendable {
        package let verdict: Verdict
        /// The observed behaviour, or the reason; empty for a case that passed.
        package let seen: [String]
        /// The form of each answer; nil where the run does not keep it.
        package let answers: [String]?

        package init(verdict: Verdict, seen: [String], answers: [String]? = nil) {
            self.verdict = verdict
            self.seen = seen
            self.answers = answers
        }

        package init(_ result: CaseResult, answers: [String]? = nil) {
            self.init(
                verdict: result.verdict, seen: result.reason.map { [$0] } ?? result.deviations.map(\.seen),
                answers: answers)
        }

        /// Whether two runs agree: reasons for a case that concerns neither of them may differ.
        fileprivate func agrees(with other: Side) -> Bool {
            guard verdict == other.verdict else { return false }
            return verdict == .notApplicable
                || (seen == other.seen && (answers == nil || other.answers == nil || answers == other.answers))
        }
    }

    package let subjects: [ConformanceSubject]
    package let rows: [Row]
    /// The number of cases that only some of the runs performed.
    package let left: Int

    package var differences: [Row] { rows.filter(\.isDifferent) }

    package init(_ runs: [(subject: ConformanceSubject, answers: [String: Side])], of cases: [CaseDescription]) {
        subjects = runs.map(\.subject)
        let performed = cases.map { description in
            let sides = runs.compactMap { $0.answers[description.id] }.filter { $0.verdict != .notRun }
            return Row(description: description, sides: sides)
        }
        rows = performed.filter { $0.sides.count == runs.count }
        left = performed.count { !$0.sides.isEmpty } - rows.count
    }

    package init(_ first: ConformanceReport, _ second: ConformanceReport) {
        let known = Set(first.results.map(\.id))
        self.init(
            [(first.subject, first.answers), (second.subject, second.answers)],
            of: first.cases + second.cases.filter { !known.contains($0.id) })
    }

    /// Compares a run with answers that are kept, without those to other cases than the run's.
    package init(_ run: ConformanceReport, with answers: [String: Side], of subject: ConformanceSubject) {
        self.init([(run.subject, run.answers), (subject, answers)], of: run.cases)
    }

    private enum CodingKeys: String, CodingKey {
        case first, second, compared, left, differences, id, title, clause
    }

    /// Writes the comparison of the first two runs.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(subjects.first, forKey: .first)
        try container.encode(subjects.last, forKey: .second)
        try container.encode(rows.count, forKey: .compared)
        try container.encode(left, forKey: .left)
        var list = container.nestedUnkeyedContainer(forKey: .differences)
        for row in differences {
            var entry = list.nestedContainer(keyedBy: CodingKeys.self)
            try entry.encode(row.id, forKey: .id)
            try entry.encode(row.description.title, forKey: .title)
            try entry.encode(row.description.clause, forKey: .clause)
            try entry.encode(row.sides.first, forKey: .first)
            try entry.encode(row.sides.last, forKey: .second)
        }
    }
}

extension ConformanceReport {
    /// The sides of a comparison by case.
    package var answers: [String: RunComparison.Side] {
        Dictionary(results.map { ($0.id, RunComparison.Side($0)) }) { first, _ in first }
    }
}
