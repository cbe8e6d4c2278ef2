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
            ? TextTable("", "VALUE", "LIMIT", "MEDIAN", "90 %", "BASELINE", "WHAT")
            : TextTable("", "VALUE", "LIMIT", "EARLIER", "CHANGE", "MEDIAN", "90 %", "BASELINE", "WHAT")
        for row in report.rows {
            let change = comparison?.change(of: row)
            let isWorse = change?.isWorse == true
            var cells = [
                (row.isWithinLimit ? "" : "!") + (isWorse ? "↑" : ""), Self.number(row.value, row.unit),
                row.limit.map { Self.limit($0, row.unit) } ?? "",
            ]
            if comparison != nil {
                cells.append(change.map { Self.number($0.earlier, row.unit) } ?? "new")
                cells.append(change.map { String(format: "%+.0f %%", (row.value / $0.earlier - 1) * 100) } ?? "")
            }
            cells += [
                row.spread.map { Self.time($0.median) } ?? "", row.spread.map { Self.time($0.ninetieth) } ?? "",
                row.baselineSpread.map { Self.time($0.median) } ?? "",
                row.name + (row.baseline.map { " / \($0)" } ?? ""),
            ]
            table.add(cells)
        }
        var notes = report.missed.isEmpty ? [] : ["! beyond the limit"]
        if report.rows.contains(where: { comparison?.change(of: $0)?.isWorse == true }) {
            notes.append("↑ worse than in the earlier run, by more than runs of one program differ")
        }
        return [title.joined(separator: ", ")] + table.lines + notes
    }

    private static func limit(_ limit: BenchmarkLimit, _ unit: String) -> String {
        (limit.side == .atMost ? "≤ " : "≥ ") + number(limit.bound, unit)
    }

    private static func number(_ value: Double, _ unit: String) -> String {
        String(format: abs(value) < 100 ? "%.2f \(unit)" : "%.0f \(unit)", value)
    }

    private static func time(_ microseconds: Double) -> String {
        switch microseconds {
        case ..<10: String(format: "%.2f µs", microseconds)
        case ..<10_000: String(format: "%.0f µs", microseconds)
        default: String(format: "%.0f ms", microseconds / 1000)
        }
    }
}
