package import Machine
internal import SimulatedDevice
internal import Wording

/// Scenario reports as JUnit XML, which CI servers read.
package enum JUnitReport {
    /// The kind of the file.
    package static let kind = OutputFile.Kind("a JUnit report") { head in
        let text = String(decoding: head, as: UTF8.self)
        return text.contains("<testsuites") || text.contains("<testsuite ")
    }

    /// One test suite for each scenario, one test case for each step.
    package static func xml(_ reports: [ScenarioReport]) -> String {
        let steps = reports.flatMap(\.steps)
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append(
            "<testsuites tests=\"\(steps.count)\" failures=\"\(steps.count { !$0.mismatches.isEmpty })\" "
                + "skipped=\"\(steps.count { !$0.wasPlayed })\" "
                + "time=\"\(reports.reduce(0) { $0 + $1.realSeconds })\">")
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
        if let taps = report.taps {
            lines.append("    <properties><property name=\"taps\" value=\"\(taps)\"/></properties>")
        }
        var uses: [String: Int] = [:]
        for step in report.steps {
            let name = (step.device.map { "\($0): " } ?? "") + step.name
            uses[name, default: 0] += 1
            let use = uses[name, default: 1]
            lines += testCase(step, named: use == 1 ? name : "\(name) (\(Wording.ordinal(use)) time)", of: report)
        }
        lines.append("  </testsuite>")
        return lines
    }

    /// - Parameter name: the case's name, which stays when steps are added: servers keep a history for each name.
    private static func testCase(_ step: StepReport, named name: String, of report: ScenarioReport) -> [String] {
        let head =
            "    <testcase classname=\"\(escaped(report.name))\" name=\"\(escaped(name))\" "
            + "file=\"\(escaped(step.file))\" line=\"\(step.line)\""
        guard step.wasPlayed else {
            return [head + ">", "      <skipped message=\"an earlier step failed\"/>", "    </testcase>"]
        }
        let notes =
            step.notes.isEmpty
            ? [] : ["      <system-out>\(escaped(step.notes.joined(separator: "\n")))</system-out>"]
        guard !step.mismatches.isEmpty else {
            return notes.isEmpty ? [head + "/>"] : [head + ">"] + notes + ["    </testcase>"]
        }
        let sentences = step.mismatches.map { $0.words(line: $0.line ?? step.line) }
        let detail = (sentences + step.told.map { "app gets: \($0)" } + step.events.map(\.text)).joined(separator: "\n")
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
