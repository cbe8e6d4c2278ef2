internal import Reports

extension ConformanceReport {
    /// One workflow command of GitHub Actions for each case that failed, and for each that warned; known failures have none.
    package var gitHubAnnotations: [String] {
        entries.compactMap { result, description in
            guard result.known == nil, let level = GitHubAnnotation.Level(result.verdict) else { return nil }
            let sentences = result.deviationLines.joined(separator: "\n")
            return GitHubAnnotation(
                level, title: description.id, text: "\(description.title) (\(description.clause))\n\(sentences)"
            ).command
        }
    }
}

extension GitHubAnnotation.Level {
    /// The level of a verdict; nil for one that needs no attention.
    fileprivate init?(_ verdict: Verdict) {
        switch verdict {
        case .failed: self = .error
        case .warning: self = .warning
        case .passed, .notApplicable, .notRun: return nil
        }
    }
}
