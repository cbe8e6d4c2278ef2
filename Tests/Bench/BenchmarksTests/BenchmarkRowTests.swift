import Testing

@testable import Benchmarks

@Suite struct BenchmarkRowTests {
    @Test(
        "A value beyond its limit is marked, on either side",
        arguments: [
            (BenchmarkLimit.atMost(2), 2.0, true), (.atMost(2), 2.01, false), (.atLeast(3000), 3000, true),
            (.atLeast(3000), 2999, false),
        ])
    func limits(_ limit: BenchmarkLimit, _ value: Double, _ isWithin: Bool) {
        #expect(BenchmarkRow("subject", value, "ms", limit: limit).isWithinLimit == isWithin)
    }

    @Test("A row without a limit is never beyond it")
    func unlimited() {
        #expect(BenchmarkRow("subject", 1_000_000, "ms").isWithinLimit)
    }

    @Test("A ratio is that of the medians")
    func ratio() {
        let measurement = Measurement(subject: Spread([9, 30, 8, 7, 6]), baseline: Spread([2, 2, 4, 100, 4]))
        let row = BenchmarkRow("subject", over: "baseline", measurement, limit: 2)
        #expect(row.value == 2)
        #expect(row.isWithinLimit)
    }

    @Test("The spread is the median and the ninetieth of a hundred times")
    func spread() {
        let spread = Spread((1...100).map(Double.init).shuffled())
        #expect(spread.median == 51)
        #expect(spread.ninetieth == 91)
    }
}
