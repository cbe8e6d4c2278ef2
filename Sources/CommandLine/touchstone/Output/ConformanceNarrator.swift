import Conformance
import Tables
import Wording

/// Shows verdicts on the terminal as soon as they are known.
struct ConformanceNarrator: Sendable {
    let verbose: Bool
    let isQuiet: Bool

    func begin(_ subject: ConformanceSubject) {
        guard !isQuiet else { return }
        let facts = subject.facts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        Terminal.write(([subject.title] + facts).joined(separator: ", "))
    }

    /// Shows a verdict: deviations always, other verdicts on request.
    func show(_ result: CaseResult, _ description: CaseDescription, of subject: ConformanceSubject) {
        guard !isQuiet else { return }
        switch result.verdict {
        case .passed, .notApplicable, .notRun:
            guard verbose else { return }
            Terminal.writeText(
                "\(label(result.verdict)) \(description.id)" + (result.reason.map { ": \($0)" } ?? ""), hanging: 4)
        case .failed, .warning:
            Terminal.write("\(label(result.verdict)) \(description.id), \(description.clause)")
            Terminal.writeText("    \(description.title)", hanging: 4)
            for deviation in result.deviations { Terminal.writeText("    \(deviation.words)", hanging: 6) }
            if verbose {
                for exchange in result.exchanges {
                    exchange.sent.forEach { Terminal.write("    > \($0)") }
                    exchange.received.forEach { Terminal.write("    < \($0)") }
                }
            }
            Terminal.writeText("    repeat: \(subject.command(for: description))", hanging: 6)
        }
    }

    func end(_ report: ConformanceReport) {
        guard !isQuiet else { return }
        let counts = Verdict.allCases.map { ($0, report.count($0)) }.filter { $0.1 > 0 }
            .map { "\($0.1) \($0.0.rawValue)" }
        let tenths = Int((report.results.reduce(0) { $0 + $1.seconds } * 10).rounded())
        let messages = report.results.reduce(0) { $0 + $1.messages }
        Terminal.write(
            "\(Wording.counted(report.results.count, "case")): \(counts.joined(separator: ", ")); "
                + "\(Wording.counted(messages, "exchange")) in \(tenths / 10).\(tenths % 10) s")
    }

    private func label(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: Terminal.styled("passed", .green)
        case .failed: Terminal.styled("FAILED", .red)
        case .warning: Terminal.styled("warning", .yellow)
        case .notApplicable: "not applicable"
        case .notRun: "not run"
        }
    }
}
