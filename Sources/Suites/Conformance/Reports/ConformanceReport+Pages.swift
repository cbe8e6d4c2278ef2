package import Reports

extension JUnitDocument {
    /// One test suite for each group of cases of each run, one test case for each case.
    package init(_ reports: [ConformanceReport]) {
        self.init(reports.flatMap { report in report.groupNames.map { Self.suite($0, of: report) } })
    }

    private static func suite(_ name: String, of report: ConformanceReport) -> Suite {
        let entries = report.entries.filter { $0.description.group == name }
        let causes = report.firstOfEachObstacle
        var properties = ["subject": report.subject.title, "version": report.version]
        properties["began"] = report.began
        return Suite(
            name: "\(report.suite).\(name)", seconds: entries.reduce(0) { $0 + $1.result.seconds },
            timestamp: report.began, properties: properties,
            cases: entries.map { result, description in
                Case(
                    className: "\(report.suite).\(name)", name: description.id, seconds: result.seconds,
                    outcome: causes.contains(result.id)
                        ? .failed(message: "not run: \(result.reason ?? "")", detail: result.reason ?? "")
                        : Outcome(result, description, report.subject),
                    output: result.verdict == .warning || result.known != nil
                        ? result.deviationLines.joined(separator: "\n") : nil)
            })
    }
}

extension JUnitDocument.Outcome {
    fileprivate init(_ result: CaseResult, _ description: CaseDescription, _ subject: ConformanceSubject) {
        switch result.verdict {
        case .passed, .warning: self = .passed
        // A server of continuous integration counts no skipped case as a failure.
        case .failed where result.known != nil: self = .skipped(result.known?.words ?? "")
        case .notApplicable, .notRun: self = .skipped("\(result.verdict.rawValue): \(result.reason ?? "")")
        case .failed:
            let sentences = result.deviationLines
            self = .failed(
                message: sentences.joined(separator: "; "),
                detail: (["\(description.title) (\(description.clause))"] + sentences
                    + result.exchanges.flatMap { $0.sent + $0.received } + [subject.command(for: description)])
                    .joined(separator: "\n"), kind: result.cause)
        }
    }
}

extension ConformanceReport {
    /// In a run without a failed case, the first case for each reason that keeps cases from being judged.
    ///
    /// It fails in JUnit: a server of continuous integration counts no skipped case.
    fileprivate var firstOfEachObstacle: Set<String> {
        guard count(.failed) == 0 else { return [] }
        let blocked = results.filter { $0.isBlocked == true }
        return Set(Dictionary(blocked.map { ($0.reason, $0.id) }) { first, _ in first }.values)
    }

    /// The groups in the order of the results, each once.
    var groupNames: [String] {
        var seen: Set<String> = []
        return cases.map(\.group).filter { seen.insert($0).inserted }
    }
}

extension CaseResult {
    /// The deviations in words, each once: a step that a case repeats may deviate in the same way again.
    package var deviationLines: [String] {
        deviations.map(\.words).reduce(into: []) { lines, line in if !lines.contains(line) { lines.append(line) } }
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
            words: Words(matrix: "Clauses by subject", row: "clause", scenario: "case", run: "case", device: "subject"),
            groups: Specification.allCases.filter { known in clauses.contains { $0.specification == known } }
                .map { Group(id: $0.rawValue, title: $0.rawValue) },
            rows: clauses.sorted(by: Clause.precedes).map {
                Row(id: $0.description, title: "", group: $0.specification.rawValue)
            },
            lanes: ["Sent", "Received"],
            runs: zip(reports, titles).flatMap { report, title in
                report.entries.map { Self.run($0.result, $0.description, of: report, column: title) }
            })
        origins = reports.map(\.origin)
        traceTitle = "The command that repeats the case"
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
                number: index + 1, role: .exchange, title: exchange.sent.first ?? "message",
                timeline: [(0, Array(exchange.sent.dropFirst())), (1, exchange.received)].filter { !$0.1.isEmpty }
                    .map { lane, lines in
                        Entry(lane: lane, text: lines[0], detail: lines.dropFirst().joined(separator: "\n"))
                    })
        }
        let demand = "\(description.level.rawValue), \(description.clause)"
        let remarks = [result.reason, result.repetition, result.known?.words].compactMap(\.self)
        let verdict = Step(
            number: 0, role: .verdict,
            title: ([result.verdict.rawValue + (result.deviations.isEmpty ? " (\(demand))" : "")] + remarks)
                .joined(separator: ": "),
            wasPlayed: result.reason == nil, differences: result.differences(of: description))
        var run = Run(
            name: "\(description.id): \(description.title)", scenario: "\(description.id): \(description.title)",
            file: report.subject.title, outcome: Outcome(result),
            shows: [description.clause.description: [column]], devices: [column],
            steps: [verdict] + exchanges, trace: [report.subject.command(for: description)])
        run.cause = result.known == nil ? result.cause : nil
        return run
    }
}

extension CaseResult {
    /// The deviations, each once, with the level and the clause of each demand.
    fileprivate func differences(of description: CaseDescription) -> [MatrixPage.Difference] {
        deviations.reduce(into: [Deviation]()) { kept, next in if !kept.contains(next) { kept.append(next) } }.map {
            MatrixPage.Difference(
                subject: "\($0.level.rawValue), \($0.clause ?? description.clause)", expected: $0.expected,
                seen: $0.seen)
        }
    }
}

extension ConformanceReport {
    /// Where the report comes from: its subject, the time and the program.
    fileprivate var origin: String {
        ([subject.title] + subject.facts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            + [began.map { "began \($0)" }, "Touchstone \(version)"].compactMap(\.self))
            .joined(separator: ", ")
    }
}

extension MatrixPage.Outcome {
    fileprivate init(_ result: CaseResult) {
        self =
            switch result.verdict {
            case .passed: .passed
            case .failed: result.known == nil ? .failed : .known
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
