internal import SimulatedDevice

/// Scenario reports as JUnit XML, which CI servers read.
package enum JUnitReport {
    /// One test suite for each scenario, one test case for each step.
    package static func xml(_ reports: [ScenarioReport]) -> String {
        let steps = reports.flatMap(\.steps)
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append(
            "<testsuites tests=\"\(steps.count)\" failures=\"\(steps.count { !$0.mismatches.isEmpty })\">")
        for report in reports { lines += suite(report) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func suite(_ report: ScenarioReport) -> [String] {
        let failures = report.steps.count { !$0.mismatches.isEmpty }
        let skipped = report.steps.count { !$0.wasPlayed }
        var lines = [
            "  <testsuite name=\"\(escaped(report.name))\" file=\"\(escaped(report.file))\" "
                + "tests=\"\(report.steps.count)\" failures=\"\(failures)\" skipped=\"\(skipped)\" time=\"\(report.realSeconds)\">"
        ]
        for step in report.steps { lines += testCase(step, of: report) }
        lines.append("  </testsuite>")
        return lines
    }

    private static func testCase(_ step: StepReport, of report: ScenarioReport) -> [String] {
        let head =
            "    <testcase classname=\"\(escaped(report.name))\" name=\"\(step.number). \(escaped(step.title))\" "
            + "file=\"\(escaped(report.file))\" line=\"\(step.line)\""
        guard step.wasPlayed else { return [head + ">", "      <skipped/>", "    </testcase>"] }
        let notes =
            step.notes.isEmpty
            ? [] : ["      <system-out>\(escaped(step.notes.joined(separator: "\n")))</system-out>"]
        guard !step.mismatches.isEmpty else {
            return notes.isEmpty ? [head + "/>"] : [head + ">"] + notes + ["    </testcase>"]
        }
        let sentences = step.mismatches.map {
            "\($0.subject) (line \($0.line ?? step.line)): expected \($0.expected), saw \($0.seen)"
        }
        let detail = (sentences + step.told.map { "app told: \($0)" } + step.events.map(\.text)).joined(separator: "\n")
        return [
            head + ">",
            "      <failure message=\"\(escaped(sentences.joined(separator: "; ")))\">\(escaped(detail))</failure>",
        ] + notes + ["    </testcase>"]
    }

    /// Text inside XML; characters that XML 1.0 cannot hold are dropped.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
