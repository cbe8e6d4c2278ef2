import Harness
import RelyingParty
internal import WebAuthn

/// A verdict of the relying party, step by step.
enum LedgerDescription {
    static func lines(_ event: HarnessEvent) -> [String] {
        event.ledger.entries.map { entry in
            let step = entry.step.rawValue + String(repeating: " ", count: max(0, 4 - entry.step.rawValue.count))
            return switch entry.outcome {
            case .passed: "  " + Terminal.styled("ok   ", .green) + step + entry.step.title
            case .flagged(let reasons):
                "  " + Terminal.styled("flag ", .yellow) + step + entry.step.title + told(reasons)
            case .failed(let reasons): "  " + Terminal.styled("FAIL ", .red) + step + entry.step.title + told(reasons)
            case .notApplicable(let why): "  " + Terminal.styled("-    ", .dim) + step + entry.step.title + ": " + why
            case .notReached: "  " + Terminal.styled("?    ", .dim) + step + entry.step.title
            }
        }
    }

    private static func told(_ reasons: [Reason]) -> String {
        ": " + reasons.map { "\($0.label.rawValue), \($0.explanation)" }.joined(separator: "; ")
    }
}
