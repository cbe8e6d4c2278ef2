import Foundation
import Testing

@testable import Benchmarks

@Suite struct BenchmarkComparisonTests {
    private static func report(_ rows: BenchmarkRow...) -> BenchmarkReport {
        var report = BenchmarkReport()
        report.rows = rows
        return report
    }

    private static let time = BenchmarkRow("start", 100, "ms", limit: .atMost(35))
    private static let rate = BenchmarkRow("sign-ins", 1000, "/s", limit: .atLeast(2500))

    @Test("A report that went through JSON is compared like itself")
    func json() throws {
        let encoded = try JSONEncoder().encode(Self.report(Self.time, Self.rate))
        let comparison = BenchmarkComparison(with: try BenchmarkReport(json: Array(encoded)))
        let change = try #require(comparison.change(of: Self.time))
        #expect(change.factor == 1)
        #expect(!change.isWorse)
    }

    @Test(
        "A longer time is worse, and a lower rate is",
        arguments: [
            (time, 130.0, true), (time, 120, false), (time, 50, false), (rate, 700, true), (rate, 900, false),
            (rate, 2000, false),
        ])
    func worse(_ before: BenchmarkRow, _ value: Double, _ isWorse: Bool) throws {
        let comparison = BenchmarkComparison(with: Self.report(before))
        let now = BenchmarkRow(before.name, value, before.unit, limit: before.limit)
        #expect(try #require(comparison.change(of: now)).isWorse == isWorse)
    }

    @Test("A row that the earlier run does not have has no change")
    func new() {
        let comparison = BenchmarkComparison(with: Self.report(Self.time))
        #expect(comparison.change(of: Self.rate) == nil)
        #expect(comparison.change(of: BenchmarkRow("start", over: "another", 1, "x")) == nil)
    }
}
