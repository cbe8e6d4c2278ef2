internal import Foundation

/// The results of a run.
package struct BenchmarkReport: Sendable, Codable {
    /// The machine that they come from.
    package let machine: Machine
    package internal(set) var results: [BenchmarkResult] = []

    private enum CodingKeys: String, CodingKey {
        case machine
        case results = "rows"
    }

    /// The machine of a run, without which no figure means anything.
    package struct Machine: Sendable, Codable {
        /// The processor's name; nil where the system does not tell it.
        package let processor: String?
        package let cores: Int
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
    package var missed: [BenchmarkResult] { results.filter { !$0.isWithinLimit } }

    /// A report from the JSON of an earlier run.
    package init(json: [UInt8]) throws { self = try JSONDecoder().decode(BenchmarkReport.self, from: Data(json)) }
}

/// A run beside an earlier one.
package struct BenchmarkComparison: Sendable {
    package struct Change: Sendable {
        package let earlier: Double
        /// Whether the whole interval is worse by more than runs of the same program differ.
        package let isWorse: Bool
    }

    /// The factor by which runs of the same program differ on a busy machine.
    package static let tolerance = 1.25

    private let earlier: [String: BenchmarkResult]

    package init(with earlier: BenchmarkReport) {
        self.earlier = Dictionary(earlier.results.map { (Self.key($0), $0) }) { _, last in last }
    }

    /// The change of a row; nil when the earlier run does not have it.
    package func change(of row: BenchmarkResult) -> Change? {
        guard let before = earlier[Self.key(row)], before.value > 0 else { return nil }
        return Change(earlier: before.value, isWorse: row.interval.lower > before.value * Self.tolerance)
    }

    private static func key(_ row: BenchmarkResult) -> String { "\(row.name)/\(row.baseline)" }
}
