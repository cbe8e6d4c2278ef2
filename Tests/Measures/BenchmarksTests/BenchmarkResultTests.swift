import Testing

@testable import Benchmarks

@Suite struct BenchmarkResultTests {
    private static func result(_ ratios: [Double], limit: Double?) throws -> BenchmarkResult {
        var measurement = Measurement()
        // The machine's speed changes from round to round, and affects both.
        for (round, ratio) in ratios.enumerated() {
            let speed = Double(1 + round % 3)
            measurement.add(ratio * speed, over: speed)
        }
        return try BenchmarkResult(BenchmarkRow("subject", over: "baseline", limit: limit), measurement)
    }

    @Test(
        "A row is beyond its limit only with its whole interval",
        arguments: [
            // The interval of nine rounds is from the second smallest to the second largest.
            ([1, 1, 1, 1, 1, 1, 1, 1, 1], 1.0, true),
            ([3, 3, 3, 3, 3, 3, 3, 3, 3], 2, false),
            ([1, 3, 3, 3, 3, 3, 3, 3, 3], 2, false),
            ([1, 2, 3, 3, 3, 3, 3, 3, 3], 2, true),
            ([1, 1, 1, 1, 1, 3, 3, 3, 3], 2, true),
            ([2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 90], 2, false),
            ([0.1, 0.1, 0.1, 0.1, 0.1, 90, 90, 90, 90], 2, true),
            ([9, 9, 9, 9, 9, 9, 9, 9, 9], nil, true),
        ] as [([Double], Double?, Bool)])
    func verdict(_ ratios: [Double], _ limit: Double?, _ isWithin: Bool) throws {
        #expect(try Self.result(ratios, limit: limit).isWithinLimit == isWithin)
    }

    @Test("The value is the median of the rounds' ratios, not the ratio of the medians")
    func value() throws {
        var measurement = Measurement()
        for (subject, baseline) in [(9.0, 3.0), (30, 10), (8, 4), (7, 7), (600, 150)] {
            measurement.add(subject, over: baseline)
        }
        let result = try BenchmarkResult(BenchmarkRow("subject", over: "baseline"), measurement)
        #expect(result.value == 3)
        #expect(result.interval == Interval(ofMedian: [1, 2, 3, 3, 4]))
        #expect(result.spread.median == 9)
        #expect(result.baselineSpread.median == 7)
    }

    @Test("A round whose baseline took nothing does not count, and a row needs one that did")
    func nothing() throws {
        var measurement = Measurement()
        measurement.add(5, over: 0)
        #expect(throws: BenchmarkFailure.self) {
            try BenchmarkResult(BenchmarkRow("subject", over: "baseline"), measurement)
        }
        measurement.add(6, over: 2)
        #expect(try BenchmarkResult(BenchmarkRow("subject", over: "baseline"), measurement).value == 3)
    }

    @Test("The first round warms up and does not count")
    func warmUp() async {
        var round = 0.0
        let measurement = await Measurement.rounds(3) {
            round += 1
            return (round, 10 * round)
        }
        #expect(measurement.subject == [2, 3, 4])
        #expect(measurement.baseline == [20, 30, 40])
    }

    @Test("The spread is the median and the ninetieth of a hundred values")
    func spread() {
        let spread = Spread((1...100).map(Double.init).shuffled())
        #expect(spread.median == 51)
        #expect(spread.ninetieth == 91)
    }
}
