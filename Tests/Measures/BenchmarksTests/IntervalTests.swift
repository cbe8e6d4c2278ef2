import TestSupport
import Testing

@testable import Benchmarks

/// The confidence interval of a median by order statistics.
@Suite struct IntervalTests {
    @Test(
        "The rank of the ends is the largest with at most 2.5 % of the binomial distribution below it",
        arguments: [
            (0, 1), (1, 1), (5, 1), (6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10),
            (50, 18), (100, 40), (300, 133), (2000, 956),
        ])
    func rank(_ count: Int, _ rank: Int) {
        #expect(Interval.rank(of: count) == rank)
    }

    @Test(
        "The ends are values, whatever their order",
        arguments: [
            ([3.0], 3.0, 3.0), ([2, 1], 1, 2), ([6, 5, 4, 3, 2, 1], 1, 6), ([9, 1, 8, 2, 7, 3, 6, 4, 5], 2, 8),
            ([1000, 1, 1, 1, 1, 1, 1, 1, 0], 1, 1),
        ])
    func ends(_ values: [Double], _ lower: Double, _ upper: Double) {
        let interval = Interval(ofMedian: values)
        #expect(interval.lower == lower)
        #expect(interval.upper == upper)
    }

    @Test(
        "It holds the median of a skewed distribution in at least 95 of 100 runs",
        arguments: [Interval.fewest, 9, 15, 40])
    func confidence(_ count: Int) {
        var generator = SeededGenerator(seed: 31)
        let runs = 1000
        let hits = (0..<runs).count { _ in
            // The square of an even distribution of 0 to 1 has the median 0.25.
            let values = (0..<count).map { _ in
                let value = Double.random(in: 0..<1, using: &generator)
                return value * value
            }
            let interval = Interval(ofMedian: values)
            return interval.lower <= 0.25 && 0.25 <= interval.upper
        }
        #expect(Double(hits) / Double(runs) >= 0.95)
    }
}
