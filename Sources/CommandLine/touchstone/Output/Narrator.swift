import Foundation
internal import PlatformErrors
import Scenarios
import SimulatedDevice

/// Tells a scenario while it runs, and sums it up.
struct Narrator: Sendable {
    /// Whether every step is told from each side, or only those that fail.
    let verbose: Bool
    /// Whether nothing is told, because the result is printed as JSON.
    let isQuiet: Bool

    func begin(_ scenario: Scenario) {
        guard !isQuiet else { return }
        Terminal.write(Terminal.styled(scenario.name, .bold))
        if verbose, !scenario.about.isEmpty { Terminal.write(Terminal.styled(scenario.about, .dim)) }
    }

    @Sendable func step(_ report: StepReport) {
        guard !isQuiet else { return }
        let mark = report.passed ? Terminal.styled("ok  ", .green) : Terminal.styled("FAIL", .red)
        let subject = report.device.map { "\($0): " } ?? ""
        Terminal.write(
            "  \(mark) \(String(repeating: " ", count: report.number < 10 ? 1 : 0))\(report.number). \(subject)\(report.title)"
        )
        if verbose {
            tell("device", report.did)
            tell("CTAP", report.ctap)
            tell("server", report.server)
            let packages = report.platformErrors.filter { $0.kind == .sdk }.map(\.text)
            tell("app told", report.told.filter { !packages.contains($0) })
            tell("its SDKs", packages)
        }
        for note in report.notes { Terminal.write("       " + Terminal.styled(note, .yellow)) }
        guard !report.mismatches.isEmpty else { return }
        for mismatch in report.mismatches {
            let line = " (line \(mismatch.line ?? report.line))"
            Terminal.write(
                "       \(mismatch.subject)\(line): expected "
                    + Terminal.styled(mismatch.expected, .green) + ", saw " + Terminal.styled(mismatch.seen, .red))
        }
        if !verbose { tell("server", report.server) }
        tell("before it", report.events.map(\.text))
    }

    func end(_ report: ScenarioReport) {
        guard !isQuiet else { return }
        let left = report.steps.count { !$0.wasPlayed }
        if left > 0 { Terminal.write(Terminal.styled("       \(left) steps after it were not played", .dim)) }
        Terminal.write()
    }

    private func tell(_ label: String, _ lines: [String]) {
        for (index, line) in lines.enumerated() {
            let head = index == 0 ? label : ""
            Terminal.write(
                "         " + Terminal.styled(head + String(repeating: " ", count: max(1, 10 - head.count)), .dim)
                    + line)
        }
    }

    /// The closing table.
    static func summary(_ reports: [ScenarioReport]) -> [String] {
        var table = TextTable("RESULT", "STEPS", "REAL", "SIMULATED", "SCENARIO")
        for report in reports {
            let played = report.steps.count { $0.passed }
            table.add(
                report.passed ? "passed" : "FAILED", "\(played)/\(report.steps.count)",
                String(format: "%.2f s", report.realSeconds), String(format: "%.0f s", report.simulatedSeconds),
                report.name)
        }
        let passed = reports.count { $0.passed }
        return table.lines + ["", "\(passed) passed, \(reports.count - passed) failed"]
    }
}
