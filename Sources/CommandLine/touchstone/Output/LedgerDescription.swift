import Harness
import RelyingParty
import Tables
import WebAuthn

/// A verdict of the relying party, step by step.
enum LedgerDescription {
    static func lines(_ event: HarnessEvent) -> [String] {
        event.ledger.entries.flatMap { entry in
            let (mark, style, remark) = told(entry.outcome)
            let step = entry.step.rawValue
            let head = "  " + Terminal.styled(padded(mark, 5), style) + padded(step, 4)
            return Paragraph.lines(head + entry.step.title + remark, width: Terminal.width, hanging: 11)
        }
    }

    private static func told(_ outcome: LedgerOutcome) -> (mark: String, style: Terminal.Style, remark: String) {
        switch outcome {
        case .passed: ("ok", .green, "")
        case .flagged(let reasons): ("flag", .yellow, told(reasons))
        case .failed(let reasons): ("FAIL", .red, told(reasons))
        case .notApplicable(let explanation): ("-", .dim, ": " + explanation)
        case .notReached: ("?", .dim, "")
        }
    }

    private static func told(_ reasons: [Reason]) -> String {
        ": " + reasons.map { "\($0.label.rawValue), \($0.explanation)" }.joined(separator: "; ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
