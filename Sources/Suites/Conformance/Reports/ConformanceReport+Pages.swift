package import Reports

extension JUnitDocument {
    /// One test suite for each group of cases of each run, one test case for each case.
    package init(_ reports: [ConformanceReport]) {
        self.init(reports.flatMap { report in report.groupNames.map { Self.suite($0, of: report) } })
    }

    private static func suite(_ name: String, of report: ConformanceReport) -> Suite {
        let entries = report.entries.filter { $0.description.group == name }
        return Suite(
            name: "\(report.suite).\(name)", seconds: entries.reduce(0) { $0 + $1.result.seconds },
            properties: ["subject": report.subject.title],
            cases: entries.map { result, description in
                Case(
                    className: "\(report.suite).\(name)", name: description.id, seconds: result.seconds,
                    outcome: Outcome(result, description, report.subject),
                    output: result.verdict == .warning
                        ? result.deviations.map(\.words).joined(separator: "\n") : nil)
            })
    }
}

extension JUnitDocument.Outcome {
    fileprivate init(_ result: CaseResult, _ description: CaseDescription, _ subject: ConformanceSubject) {
        switch result.verdict {
        case .passed, .warning: self = .passed
        case .notApplicable, .notRun: self = .skipped("\(result.verdict.rawValue): \(result.reason ?? "")")
        case .failed:
            let sentences = result.deviations.map(\.words)
            self = .failed(
                message: sentences.joined(separator: "; "),
                detail: (["\(description.title) (\(description.clause))"] + sentences
                    + result.exchanges.flatMap { $0.sent + $0.received } + [subject.command(for: description)])
                    .joined(separator: "\n"))
        }
    }
}

extension ConformanceReport {
    /// The groups in the order of the results, each once.
    var groupNames: [String] {
        var seen: Set<String> = []
        return cases.map(\.group).filter { seen.insert($0).inserted }
    }
}

extension Deviation {
    package var words: String { (clause.map { "\($0): " } ?? "") + "expected \(expected), saw \(seen)" }
}

extension MatrixPage {
    /// The verdicts of runs: a matrix of clauses and subjects, whose cells open the cases with their exchanges.
    package init(_ reports: [ConformanceReport]) {
        let clauses = reports.flatMap { $0.cases.map(\.clause) }.reduce(into: [Clause]()) { clauses, clause in
            if !clauses.contains(clause) { clauses.append(clause) }
        }
        let titles = Self.columns(reports)
        self.init(
            words: Words(matrix: "Clauses by subject", row: "clause", scenario: "case", run: "case"),
            groups: Specification.allCases.filter { known in clauses.contains { $0.specification == known } }
                .map { Group(id: $0.rawValue, title: $0.rawValue) },
            rows: clauses.sorted(by: Clause.precedes).map {
                Row(id: $0.description, title: "", group: $0.specification.rawValue)
            },
            lanes: ["Sent", "Received"],
            runs: zip(reports, titles).flatMap { report, title in
                report.entries.map { Self.run($0.result, $0.description, of: report, column: title) }
            })
    }

    /// The subjects' titles; equal ones get a number.
    private static func columns(_ reports: [ConformanceReport]) -> [String] {
        let titles = reports.map(\.subject.title)
        return titles.enumerated().map { index, title in
            titles.count { $0 == title } == 1 ? title : "\(title) (\(index + 1))"
        }
    }

    private static func run(
        _ result: CaseResult, _ description: CaseDescription, of report: ConformanceReport, column: String
    ) -> Run {
        let exchanges = result.exchanges.enumerated().map { index, exchange in
            Step(
                number: index + 1, title: exchange.sent.first ?? "message",
                timeline: [(0, exchange.sent), (1, exchange.received)].filter { !$0.1.isEmpty }.map { lane, lines in
                    Entry(lane: lane, text: lines[0], detail: lines.dropFirst().joined(separator: "\n"))
                })
        }
        let verdict = Step(
            number: exchanges.count + 1,
            title: "\(description.level.rawValue), \(description.clause)"
                + [result.reason, result.repetition].compactMap(\.self).map { ": \($0)" }.joined(),
            wasPlayed: result.reason == nil,
            differences: result.deviations.map {
                Difference(subject: ($0.clause ?? description.clause).description, expected: $0.expected, seen: $0.seen)
            })
        return Run(
            name: "\(description.id): \(description.title)", scenario: description.title, file: report.subject.title,
            outcome: Outcome(result.verdict), shows: [description.clause.description: [column]], devices: [column],
            steps: exchanges + [verdict], trace: [report.subject.command(for: description)])
    }
}

extension MatrixPage.Outcome {
    fileprivate init(_ verdict: Verdict) {
        self =
            switch verdict {
            case .passed: .passed
            case .failed: .failed
            case .warning: .warning
            case .notApplicable: .notApplicable
            case .notRun: .notRun
            }
    }
}

extension Clause {
    /// Whether a clause comes before another one of the same specification: numbers count as numbers.
    fileprivate static func precedes(_ one: Clause, _ other: Clause) -> Bool {
        (one.section.parts, (one.step ?? "").parts) < (other.section.parts, (other.step ?? "").parts)
    }
}

extension String {
    /// The numbers and words between dots, padded so that they sort.
    fileprivate var parts: String {
        split(separator: ".").map { String(repeating: "0", count: max(0, 4 - $0.count)) + $0 }.joined(separator: ".")
    }
}
