/// The verdicts that make a run fail.
package enum FailureThreshold: String, CaseIterable, Sendable {
    case failed
    /// Failures and warnings.
    case warning

    package func includes(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .failed: true
        case .warning: self == .warning
        case .passed, .notApplicable, .notRun: false
        }
    }
}
