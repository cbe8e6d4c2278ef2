import Foundation
internal import PlatformErrors
import Scenarios
import SimulatedDevice
import Tables
import Wording

/// Prints a scenario while it runs, and a summary at the end.
struct Narrator: Sendable {
    /// Whether every step is shown from each side, or only those that fail.
    let verbose: Bool
    /// Whether nothing is printed, because the result is printed as JSON.
    let isQuiet: Bool

    func begin(_ name: String, about: String) {
        guard !isQuiet else { return }
        Terminal.writeText(Terminal.styled(name, .bold))
        guard verbose else { return }
        for line in about.split(whereSeparator: \.isNewline) {
            Terminal.writeText(Terminal.styled(String(line), .dim))
        }
    }

    @Sendable func step(_ report: StepReport) {
        guard !isQuiet else { return }
        let mark = report.passed ? Terminal.styled("ok  ", .green) : Terminal.styled("FAIL", .red)
        let subject = report.device.map { "\($0): " } ?? ""
        let indent = String(repeating: " ", count: report.number < 10 ? 1 : 0)
        Terminal.writeText("  \(mark) \(indent)\(report.number). \(subject)\(report.title)", hanging: 11)
        if verbose {
            write("device", report.did)
            write("CTAP", report.ctap)
            write("server", report.server)
            let packages = report.platformErrors.filter { $0.kind == .sdk }.map(\.text)
            write("app", report.told.filter { !packages.contains($0) })
            write("SDKs", packages)
        }
        for note in report.notes { Terminal.writeText("       " + Terminal.styled(note, .yellow), hanging: 7) }
        guard !report.mismatches.isEmpty else { return }
        for mismatch in report.mismatches {
            let line = mismatch.line ?? report.line
            guard let expected = mismatch.expected else {
                Terminal.writeText("       " + Terminal.styled(mismatch.words(line: line), .red), hanging: 7)
                continue
            }
            Terminal.writeText(
                "       \(mismatch.subject) (line \(line)): expected " + Terminal.styled(expected, .green) + ", saw "
                    + Terminal.styled(mismatch.seen, .red), hanging: 7)
        }
        if !verbose { write("server", report.server) }
        write("events", report.events.map(\.text))
    }

    func end(_ report: ScenarioReport) {
        guard !isQuiet else { return }
        let left = report.steps.count { !$0.wasPlayed }
        if left > 0 {
            let text = "\(Wording.counted(left, "step")) after it \(left == 1 ? "was" : "were") not played"
            Terminal.write(Terminal.styled("       " + text, .dim))
        }
        Terminal.write()
    }

    private func write(_ label: String, _ lines: [String]) {
        for (index, line) in lines.enumerated() {
            let head = index == 0 ? label : ""
            let indent = String(repeating: " ", count: max(1, 10 - head.count))
            Terminal.writeText("         " + Terminal.styled(head + indent, .dim) + line, hanging: 19)
        }
    }

    static func requireSuccess(_ reports: [ScenarioReport]) throws {
        let failed = reports.count { !$0.passed }
        guard failed == 0 else {
            throw CommandError("\(failed) of \(Wording.counted(reports.count, "scenario run")) failed", .checkFailed)
        }
    }

    /// - Parameter pending: the number of requirements that cannot be shown yet.
    static func summarize(_ reports: [ScenarioReport], pending: Int) {
        // Scenarios of several files with one name are told apart by their files.
        let files = Dictionary(grouping: reports, by: \.name).mapValues { Set($0.map(\.file)) }
        let showsFiles = files.values.contains { $0.count > 1 }
        var table = TextTable(["RESULT", "STEPS", "REAL", "SIMULATED", "SCENARIO"] + (showsFiles ? ["FILE"] : []))
        for report in reports {
            let played = report.steps.count { $0.passed }
            table.add(
                [
                    report.passed ? "passed" : "FAILED", "\(played)/\(report.steps.count)",
                    String(format: "%.2f s", report.realSeconds), String(format: "%.0f s", report.simulatedSeconds),
                    report.name,
                ] + (showsFiles ? [report.file] : []))
        }
        Terminal.write(table)
        let passed = reports.count { $0.passed }
        let gap = pending == 0 ? "" : "; \(Wording.counted(pending, "requirement")) pending"
        Terminal.write(["", "\(passed) passed, \(reports.count - passed) failed\(gap)"])
    }
}
