import Conformance
import Tables
import Wording

/// Shows verdicts on the terminal as soon as they are known.
struct ConformanceNarrator: Sendable {
    private static let longestReasonList = 8

    private let verbose: Bool
    private let isQuiet: Bool
    private let progress: RunProgress?

    /// - Parameter expected: the number of cases, for the progress of a run; nil without one.
    init(verbose: Bool, isQuiet: Bool, expected: Int?) {
        self.verbose = verbose
        self.isQuiet = isQuiet
        progress = isQuiet ? nil : expected.map { RunProgress("case", expected: $0) }
    }

    func begin(_ subject: ConformanceSubject) {
        guard !isQuiet else { return }
        let facts = subject.facts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        Terminal.write(([subject.title] + facts).joined(separator: ", "))
    }

    /// Shows a verdict: deviations always, other verdicts on request.
    func show(_ result: CaseResult, _ description: CaseDescription, of subject: ConformanceSubject) {
        guard !isQuiet else { return }
        defer { progress?.advance(hasFailed: result.verdict == .failed && result.known == nil) }
        if let known = result.known, !verbose {
            stop()
            return Terminal.writeText("\(label(result)) \(description.id), \(known.words)", hanging: 4)
        }
        switch result.verdict {
        case .passed, .notApplicable, .notRun:
            guard verbose else { return }
            stop()
            Terminal.writeText(
                "\(label(result)) \(description.id)"
                    + [result.reason, result.repetition].compactMap(\.self).map { ": \($0)" }.joined(), hanging: 4)
        case .failed, .warning:
            stop()
            Terminal.write("\(label(result)) \(description.id), \(description.clause)")
            Terminal.writeText("    \(description.title)", hanging: 4)
            if let known = result.known { Terminal.writeText("    \(known.words)", hanging: 6) }
            for line in result.deviationLines { Terminal.writeText("    \(line)", hanging: 6) }
            if let again = result.repetition { Terminal.writeText("    \(again)", hanging: 6) }
            if verbose {
                for exchange in result.exchanges {
                    exchange.sent.forEach { show($0, after: "    > ") }
                    exchange.received.forEach { show($0, after: "    < ") }
                }
            }
            Terminal.writeText("    repeat: \(subject.command(for: description))", hanging: 6)
        }
    }

    /// Shows a part of a message; its further lines are indented like the first.
    private func show(_ text: String, after mark: String) {
        let indent = String(repeating: " ", count: mark.count)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            Terminal.write((number == 0 ? mark : indent) + line)
        }
    }

    func stop() {
        if progress != nil { RunProgress.clear() }
    }

    func end(_ report: ConformanceReport) {
        guard !isQuiet else { return }
        stop()
        showReasons(of: report)
        showGroups(of: report)
        let counts = Verdict.allCases.map { ($0, report.count($0)) }.filter { $0.1 > 0 }.map { verdict, count in
            let known = report.knownCount(verdict)
            return "\(count) \(verdict.rawValue)" + (known == 0 ? "" : " (\(known) known)")
        }
        let tenths = Int((report.results.reduce(0) { $0 + $1.seconds } * 10).rounded())
        let messages = report.results.reduce(0) { $0 + $1.messages }
        let touches = report.plannedTouches
        let said = touches == 0 ? "" : " and at most \(Wording.counted(touches, "touch", "touches"))"
        Terminal.write(
            "\(Wording.counted(report.results.count, "case")): \(counts.joined(separator: ", ")); "
                + "\(Wording.counted(messages, "exchange"))\(said) in \(tenths / 10).\(tenths % 10) s")
    }

    /// Counts the cases without a verdict by reason, so that a user sees the subjects that the run did not look at.
    private func showReasons(of report: ConformanceReport) {
        let groups = Dictionary(grouping: report.reasons, by: \.verdict)
        for verdict in Verdict.allCases {
            guard let reasons = groups[verdict] else { continue }
            showCounts(reasons.map { ($0.cases, $0.reason) }, under: "\(verdict.rawValue):") { others, cases in
                "\(Wording.counted(others, "other reason")) for \(Wording.counted(cases, "case"))"
                    + (verbose ? "" : "; --verbose shows each case")
            }
        }
    }

    /// Counts the failures by observation, where several have one in common.
    private func showGroups(of report: ConformanceReport) {
        let groups = report.failureGroups
        guard groups.contains(where: { $0.cases > 1 }) else { return }
        let lines = groups.map { ($0.cases, "\($0.seen), \($0.cases == 1 ? "in" : "first in") \($0.first)") }
        showCounts(lines, under: "failures by observation:") { others, cases in
            "\(Wording.counted(others, "other observation")) in \(Wording.counted(cases, "case"))"
        }
    }

    /// Shows lines that each stand for a number of cases, under a heading.
    ///
    /// - Parameter rest: the words for the lines that the list leaves out, and for their cases.
    private func showCounts(
        _ lines: [(cases: Int, text: String)], under heading: String, rest: (_ lines: Int, _ cases: Int) -> String
    ) {
        Terminal.write(heading)
        for (cases, text) in lines.prefix(Self.longestReasonList) {
            let count = String(cases)
            let indent = String(repeating: " ", count: max(0, 6 - count.count))
            Terminal.writeText("\(indent)\(count) \(text)", hanging: 7)
        }
        let others = lines.dropFirst(Self.longestReasonList)
        guard !others.isEmpty else { return }
        Terminal.write("       " + rest(others.count, others.reduce(0) { $0 + $1.cases }))
    }

    private func label(_ result: CaseResult) -> String {
        switch result.verdict {
        case .passed: Terminal.styled("passed", .green)
        case .failed where result.known != nil: Terminal.styled("failed", .yellow)
        case .failed: Terminal.styled("FAILED", .red)
        case .warning: Terminal.styled("warning", .yellow)
        case .notApplicable: "not applicable"
        case .notRun: "not run"
        }
    }
}
