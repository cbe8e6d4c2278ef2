import Foundation
import Testing

@testable import Benchmarks

@Suite struct BenchmarkComparisonTests {
    private static func result(_ ratios: [Double], name: String = "start") throws -> BenchmarkResult {
        var measurement = Measurement()
        for ratio in ratios { measurement.add(ratio, over: 1) }
        return try BenchmarkResult(BenchmarkRow(name, over: "baseline", limit: 2), measurement)
    }

    private static func comparison(with results: BenchmarkResult...) -> BenchmarkComparison {
        var report = BenchmarkReport()
        report.results = results
        return BenchmarkComparison(with: report)
    }

    @Test("A report that went through JSON is compared like itself")
    func json() throws {
        var report = BenchmarkReport()
        let result = try Self.result([1, 2, 3])
        report.results = [result]
        let comparison = BenchmarkComparison(with: try BenchmarkReport(json: Array(try JSONEncoder().encode(report))))
        let change = try #require(comparison.change(of: result))
        #expect(change.earlier == 2)
        #expect(!change.isWorse)
    }

    @Test(
        "A row is worse when its whole interval is worse by more than runs of one program differ",
        arguments: [
            ([1.3, 1.3, 1.3, 1.3, 1.3, 1.3], true), ([1.2, 1.3, 1.3, 1.3, 1.3, 1.3], false),
            ([1.2, 1.2, 1.2, 1.2, 1.2, 1.2], false), ([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], false),
        ])
    func worse(_ ratios: [Double], _ isWorse: Bool) throws {
        let comparison = Self.comparison(with: try Self.result([1]))
        #expect(try #require(comparison.change(of: try Self.result(ratios))).isWorse == isWorse)
    }

    @Test("A row that the earlier run does not have has no change")
    func new() throws {
        let comparison = Self.comparison(with: try Self.result([1]))
        #expect(comparison.change(of: try Self.result([1], name: "another")) == nil)
    }
}
