internal import Foundation

/// The results of a run.
package struct BenchmarkReport: Sendable, Codable {
    /// The machine that they come from.
    package let machine: Machine
    /// The rows in the order of their measurement.
    package internal(set) var rows: [BenchmarkRow] = []

    /// The machine of a run, without which no figure means anything.
    package struct Machine: Sendable, Codable {
        /// The processor's name; nil where the system does not tell it.
        package let processor: String?
        /// The number of cores that the process may use.
        package let cores: Int
        /// The operating system and its version.
        package let system: String
    }

    init() {
        let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        machine = Machine(
            processor: processors.split(separator: "\n").first { $0.hasPrefix("model name") }.flatMap { line in
                line.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
            },
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString)
    }

    /// The rows beyond their limits.
    package var missed: [BenchmarkRow] { rows.filter { !$0.isWithinLimit } }

    /// A report from the JSON of an earlier run.
    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(BenchmarkReport.self, from: Data(json))
    }
}

/// A run beside an earlier one.
package struct BenchmarkComparison: Sendable {
    /// A row of both runs.
    package struct Change: Sendable {
        /// The earlier value.
        package let earlier: Double
        /// How many times as good the value was before: above 1 it got worse.
        package let factor: Double
        /// Whether it got worse by more than runs of the same program differ.
        package var isWorse: Bool { factor > BenchmarkComparison.tolerance }
    }

    /// The factor by which runs of the same program differ on a busy machine.
    package static let tolerance = 1.25

    private let earlier: [String: BenchmarkRow]

    package init(with earlier: BenchmarkReport) {
        self.earlier = Dictionary(earlier.rows.map { (Self.key($0), $0) }) { _, last in last }
    }

    /// The change of a row; nil when the earlier run does not have it.
    package func change(of row: BenchmarkRow) -> Change? {
        guard let before = earlier[Self.key(row)], before.value > 0, row.value > 0 else { return nil }
        let isMoreBetter = row.limit?.side == .atLeast
        return Change(
            earlier: before.value, factor: isMoreBetter ? before.value / row.value : row.value / before.value)
    }

    private static func key(_ row: BenchmarkRow) -> String { "\(row.name)/\(row.baseline ?? "")/\(row.unit)" }
}
