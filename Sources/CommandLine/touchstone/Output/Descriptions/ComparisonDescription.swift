import AuthenticatorSuite
import Foundation
import KnownKeys
import Tables
import Wording

/// A comparison of devices as tables.
struct ComparisonDescription {
    private let comparison: DeviceComparison
    private let showsAll: Bool

    init(_ comparison: DeviceComparison, showsAll: Bool) {
        self.comparison = comparison
        self.showsAll = showsAll
    }

    var lines: [String] {
        var lines: [String] = []
        let shown = comparison.rows.filter { showsAll || $0.verdict == .different }
        if !shown.isEmpty { lines += table(shown).lines + [""] }
        let states = comparison.rows.filter { $0.verdict == .state }
        if !states.isEmpty, !showsAll {
            lines += ["State, which does not count:"] + table(states).lines + [""]
        }
        lines += notComparable
        lines += timings.lines + [""]
        let count = comparison.differenceCount
        lines.append(
            count == 0
                ? "They agree in \(Wording.counted(comparison.rows.count { $0.verdict == .same }, "row"))."
                : "They differ in \(count) of \(Wording.counted(comparison.rows.count, "row")).")
        return lines
    }

    /// The rows that depend on a state in which the devices differ, and the way to compare them.
    private var notComparable: [String] {
        let rows = comparison.rows.filter { $0.verdict == .notComparable }
        guard !rows.isEmpty, !showsAll else { return [] }
        var lines: [String] = []
        for state in comparison.states {
            let states = zip(comparison.devices, state.values).map { "\($0) has \($1)" }.joined(separator: ", and ")
            lines += Paragraph.lines(
                "Not comparable, because \(states); to compare these rows, \(state.remedy):", width: Terminal.width)
        }
        return lines + table(rows).lines + [""]
    }

    private func table(_ rows: [DeviceComparison.Row]) -> TextTable {
        var table = TextTable(["PROPERTY"] + comparison.devices + ["REQUEST OR MEANING"] + (showsAll ? [""] : []))
        for row in rows {
            let verdict = row.verdict == .same ? "" : row.verdict.rawValue
            table.add([row.name] + row.values + ["\(row.about) (\(row.clause))"] + (showsAll ? [verdict] : []))
        }
        return table
    }

    private var timings: TextTable {
        var table = TextTable(["MEDIAN TIME"] + comparison.devices)
        for timing in comparison.timings {
            let cells = zip(timing.milliseconds, timing.ratios).enumerated().map { index, cell in
                guard let milliseconds = cell.0 else { return "-" }
                let time = String(format: "%.2f ms", milliseconds)
                guard index > 0, let ratio = cell.1 else { return time }
                return time + String(format: " (× %.2f)", ratio)
            }
            table.add([timing.name] + cells)
        }
        return table
    }
}
