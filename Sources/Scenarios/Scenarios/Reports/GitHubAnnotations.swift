internal import Reports

/// Scenario reports as workflow commands of GitHub Actions, which show errors beside the lines of a file.
package enum GitHubAnnotations {
    /// One command for each difference between an expectation and an observation.
    package static func lines(_ reports: [ScenarioReport]) -> [String] {
        reports.flatMap { report in
            report.steps.flatMap { step in
                step.mismatches.map { mismatch in
                    GitHubAnnotation(
                        .error, title: report.name, text: "\(step.title): \(mismatch.words())",
                        place: (step.file, mismatch.line ?? step.line)
                    ).command
                }
            }
        }
    }
}
