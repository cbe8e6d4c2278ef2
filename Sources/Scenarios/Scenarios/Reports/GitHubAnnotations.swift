/// Scenario reports as workflow commands of GitHub Actions, which show errors beside the lines of a file.
package enum GitHubAnnotations {
    /// One command for each difference between an expectation and an observation.
    package static func lines(_ reports: [ScenarioReport]) -> [String] {
        reports.flatMap { report in
            report.steps.flatMap { step in
                step.mismatches.map { mismatch in
                    let place = "file=\(property(step.file)),line=\(mismatch.line ?? step.line)"
                    let text = data("\(step.title): \(mismatch.words())")
                    return "::error \(place),title=\(property(report.name))::\(text)"
                }
            }
        }
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
