import Benchmarks
import Foundation
import Tables

/// A benchmark run as a table.
struct BenchDescription {
    /// The earlier run beside it; nil without one.
    let comparison: BenchmarkComparison?

    func lines(_ report: BenchmarkReport) -> [String] {
        let machine = report.machine
        let title = [machine.processor, "\(machine.cores) cores", machine.system].compactMap(\.self)
        var table =
            comparison == nil
            ? TextTable("", "RATIO", "INTERVAL", "LIMIT", "MEDIAN", "90 %", "BASELINE", "WHAT")
            : TextTable("", "RATIO", "INTERVAL", "LIMIT", "EARLIER", "CHANGE", "MEDIAN", "90 %", "BASELINE", "WHAT")
        for row in report.results {
            let change = comparison?.change(of: row)
            let isWorse = change?.isWorse == true
            var cells = [
                (row.isWithinLimit ? "" : "!") + (isWorse ? "↑" : ""), Self.ratio(row.value),
                "\(Self.ratio(row.interval.lower)) to \(Self.ratio(row.interval.upper))",
                row.limit.map { "≤ \(Self.ratio($0))" } ?? "",
            ]
            if comparison != nil {
                cells.append(change.map { Self.ratio($0.earlier) } ?? "new")
                cells.append(change.map { String(format: "%+.0f %%", (row.value / $0.earlier - 1) * 100) } ?? "")
            }
            cells += [
                Self.absolute(row.spread.median, row.unit), Self.absolute(row.spread.ninetieth, row.unit),
                Self.absolute(row.baselineSpread.median, row.unit), "\(row.name) / \(row.baseline)",
            ]
            table.add(cells)
        }
        var notes = report.missed.isEmpty ? [] : ["! the whole interval is beyond the limit"]
        if report.results.contains(where: { comparison?.change(of: $0)?.isWorse == true }) {
            notes.append("↑ worse than in the earlier run, by more than runs of one program differ")
        }
        return [title.joined(separator: ", ")] + table.lines + notes
    }

    private static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }

    private static func absolute(_ value: Double, _ unit: BenchmarkResult.Unit) -> String {
        switch (unit, value) {
        case (.kibibytes, ..<10_000): String(format: "%.1f KiB", value)
        case (.kibibytes, _): String(format: "%.0f MiB", value / 1024)
        case (.microseconds, ..<10): String(format: "%.2f µs", value)
        case (.microseconds, ..<10_000): String(format: "%.0f µs", value)
        case (.microseconds, _): String(format: "%.0f ms", value / 1000)
        }
    }
}
