import RelyingParty
import Tables
import WebAuthn

/// A verdict of the relying party, step by step.
enum LedgerDescription {
    /// The steps, and the meaning of marks without an explanation.
    static func lines(_ ledger: Ledger) -> [String] {
        let outcomes = ledger.entries.map(\.outcome)
        let legend = [
            outcomes.contains { if case .notApplicable = $0 { true } else { false } }
                ? "-  the step does not apply" : nil,
            outcomes.contains(.notReached) ? "?  the step was not reached" : nil,
        ].compactMap(\.self)
        return ledger.entries.flatMap { entry in
            let (mark, style) = marked(entry.outcome)
            let step = entry.step.rawValue
            let head = "  " + Terminal.styled(padded(mark, 5), style) + padded(step, 4)
            return Paragraph.lines(
                head + entry.step.title + explanation(entry.outcome), width: Terminal.width, hanging: 11)
        } + (legend.isEmpty ? [] : ["", "  " + legend.joined(separator: "; ")])
    }

    private static func marked(_ outcome: LedgerOutcome) -> (mark: String, style: TerminalText.Style) {
        switch outcome {
        case .passed: ("ok", .green)
        case .flagged: ("flag", .yellow)
        case .failed: ("FAIL", .red)
        case .notApplicable: ("-", .dim)
        case .notReached: ("?", .dim)
        }
    }

    private static func explanation(_ outcome: LedgerOutcome) -> String {
        if case .notApplicable(let explanation) = outcome { return ": " + explanation }
        let reasons = outcome.reasons.map { "\($0.label.rawValue), \($0.explanation)" }
        return reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
