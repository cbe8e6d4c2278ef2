/// Plays several runs at the same time.
package struct ScenarioBatch: Sendable {
    /// A run and its number among all selected ones, counted from 1.
    package typealias Item = (number: Int, scenario: Scenario)

    /// The largest number of runs at the same time.
    private let jobs: Int

    package init(jobs: Int) { self.jobs = max(1, jobs) }

    /// - Parameter onReport: is called for each run in the order of the items.
    /// - Returns: the reports in the order of the items.
    /// - Throws: the first error of a run that cannot start; the other ones are given up.
    package func run(
        _ items: [Item], play: @escaping @Sendable (Item) async throws -> ScenarioReport,
        onReport: (ScenarioReport) -> Void = { _ in }
    ) async throws -> [ScenarioReport] {
        try await withThrowingTaskGroup(of: (index: Int, report: ScenarioReport).self) { group in
            var reports: [ScenarioReport?] = Array(repeating: nil, count: items.count)
            var started = 0
            func start() {
                guard started < items.count else { return }
                let (index, item) = (started, items[started])
                group.addTask { (index, try await play(item)) }
                started += 1
            }
            for _ in 0..<jobs { start() }
            var told = 0
            while let (index, report) = try await group.next() {
                // A run that a cancellation cut short says nothing about the scenario.
                try Task.checkCancellation()
                reports[index] = report
                start()
                while told < reports.count, let report = reports[told] {
                    onReport(report)
                    told += 1
                }
            }
            return reports.compactMap(\.self)
        }
    }
}

/// A part of the runs, for one of several machines.
package struct Shard: Hashable, Sendable {
    private let number: Int
    private let count: Int

    package static let all = Shard(number: 1, count: 1)

    private init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// Reads `2/5`, the second of five parts; nil for other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
            return nil
        }
        self.init(number: number, count: count)
    }

    /// - Parameter runs: the number of runs in all parts.
    package func part(of runs: Int) -> ReportPart {
        var part = ReportPart()
        (part.number, part.count, part.runs) = (number, count, runs)
        return part
    }

    /// The number of the part that has a run; both are counted from 1.
    static func number(ofRun run: Int, among parts: Int) -> Int { (run - 1) % parts + 1 }

    /// The part's runs: every n-th run, where n is the number of parts, so that the parts take about the same time.
    package func items(of scenarios: [Scenario]) -> [ScenarioBatch.Item] {
        scenarios.enumerated().map { ($0.offset + 1, $0.element) }
            .filter { Self.number(ofRun: $0.0, among: count) == number }
    }
}
